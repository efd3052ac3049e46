import type { ChannelTextLimit, ChannelTextUnit } from '../../contracts/channel/declaration.js'
import { segmentsOf } from './gsm.js'

/** The length of a text in the units of a channel. */
export function textLengthOf(text: string, unit: ChannelTextUnit): number {
  switch (unit) {
    case 'utf16':
      return text.length
    case 'characters':
      return codePointsOf(text)
    case 'bytes':
      return Buffer.byteLength(text)
    case 'segments':
      return segmentsOf(text)
  }
}

/** Whether a text fits into one message of a channel. */
export const textFits = (text: string, { unit, max }: ChannelTextLimit): boolean => textLengthOf(text, unit) <= max

/** The most UTF-16 units that could fit: longer texts need not be measured. */
export function mostUnits({ unit, max }: ChannelTextLimit): number {
  if (unit === 'segments') return max * 160
  return unit === 'characters' ? max * 2 : max
}

function codePointsOf(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const next = text.charCodeAt(index + 1)
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index += 1
    count += 1
  }
  return count
}
