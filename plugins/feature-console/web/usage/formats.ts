import { numberText } from '../i18n/formats.js'
import { locale } from '../i18n/language.js'

export const shareText = (share: number): string => numberText(share, { style: 'percent', maximumFractionDigits: 0 })

/** `18 Nov`, of a day in UTC. */
export const dayText = (day: string): string =>
  day === '' ? '' : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))
