import type { PanelFormat } from '@agent-service/sdk/contracts/console-panel'
import { bytesText, durationText, momentText, numberText } from '@agent-service/sdk/web'
import { t } from './texts.js'

const missing = '–'

/** How a value of an answer is written. What does not fit its format is written as it is. */
export function memberText(value: unknown, format: PanelFormat = 'text'): string {
  if (value === undefined || value === null || value === '') return missing
  if (typeof value === 'number' && Number.isFinite(value)) return numberWith(value, format)
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'string') return format === 'moment' && !Number.isNaN(Date.parse(value)) ? momentText(value) : value
  return JSON.stringify(value)
}

function numberWith(value: number, format: PanelFormat): string {
  switch (format) {
    case 'bytes':
      return bytesText(value)
    case 'percent':
      return numberText(value, { style: 'percent', maximumFractionDigits: 1 })
    case 'duration':
      return durationText(value)
    case 'moment':
      return momentText(value)
    case 'number':
      return numberText(value)
    default:
      return String(value)
  }
}

export const isNumeric = (format: PanelFormat | undefined): boolean =>
  format === 'number' || format === 'bytes' || format === 'percent' || format === 'duration'
