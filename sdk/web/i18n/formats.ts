import { locale } from './language.js'
import { dayNumber, zone } from './zone.js'

/** `1,204` */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale(), options).format(value)

/** `41.2M` (`41.2m` in British English), and `1.424` in German, where thousands are written out. */
export const compactText = (value: number): string =>
  numberText(value, { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' } as Intl.NumberFormatOptions)

/** `8 bytes`, `4.2 MB`, in powers of 1000 */
export function bytesText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return numberText(value, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  })
}

/** `40 ms`, `9 secs`, `4 mins`, `1 hr 10 mins` */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const unit = (value: number, name: string): string => numberText(value, { style: 'unit', unit: name, unitDisplay: 'short' })
  if (milliseconds > 0 && milliseconds < 100) return unit(Math.ceil(milliseconds), 'millisecond')
  if (seconds < 60) return unit(milliseconds < 10_000 ? Math.round(milliseconds / 100) / 10 : seconds, 'second')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return unit(minutes, 'minute')
  const rest = minutes % 60
  return rest === 0 ? unit(minutes / 60, 'hour') : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(rest, 'minute')}`
}

/** `14:02` today, `yesterday`, `Thursday` within a week, a date otherwise. */
export function whenText(moment: Date | string | number, now: Date = new Date()): string {
  const then = new Date(moment)
  const days = dayNumber(now) - dayNumber(then)
  if (days === 0) return timeText(then, { timeStyle: 'short' })
  if (days === 1 || days === -1) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-days, 'day')
  if (days > 0 && days < 7) return timeText(then, { weekday: 'long' })
  return timeText(then, { dateStyle: 'medium' })
}

/** Date and time in full, for tooltips and details. */
export const momentText = (moment: Date | string | number): string => timeText(moment, { dateStyle: 'medium', timeStyle: 'medium' })

/** Date and time to the minute, for sentences. */
export const minuteText = (moment: Date | string | number): string => timeText(moment, { dateStyle: 'medium', timeStyle: 'short' })

/** Parts of a time in the time zone of the person, unless they name another. */
export const timeText = (moment: Date | string | number, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: zone(), ...parts }).format(new Date(moment))
