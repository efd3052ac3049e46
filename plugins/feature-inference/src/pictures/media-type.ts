import { pictureTypeOf } from '@agent-service/sdk'

/** How many characters of base64 determine the type: 12 bytes. */
const headLength = 16

const usualNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/x-ms-bmp': 'image/bmp',
}

/**
 * The media type of content in base64: that of its first bytes for the pictures that models know
 * and for PDFs, else the stated one in its usual spelling, without parameters.
 */
export function mediaTypeOf(data: string, stated: string): string {
  const head = Buffer.from(data.slice(0, headLength), 'base64')
  const picture = pictureTypeOf(head)
  if (picture) return picture
  if (head.toString('latin1').startsWith('%PDF-')) return 'application/pdf'
  const name = stated.split(';')[0]?.trim().toLowerCase() ?? ''
  return usualNames[name] ?? name
}

/**
 * Plain base64 of whatever kind was given: with line breaks, in the alphabet of URLs, without
 * padding, or as a data URI.
 */
export function plainBase64(data: string): string {
  const start = data.startsWith('data:') ? data.indexOf(',', 0) + 1 : 0
  const text = start > 0 ? data.slice(start) : data
  const isPlain = text.length % 4 === 0 && !['-', '_', '\n', '\r', ' ', '\t'].some((character) => text.includes(character))
  // The decoder knows all these forms.
  return isPlain ? text : Buffer.from(text, 'base64').toString('base64')
}
