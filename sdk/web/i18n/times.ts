import { timeText } from './formats.js'
import { locale } from './language.js'

/** The name of a time zone as people read it: `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

/** From so many days away on, a date has its year. */
const yearDays = 300
const dayMs = 86_400_000

/** `Mon 24 Nov, 09:00` in a zone; without one in that of the person. */
export const dayTimeText = (moment: string, zone?: string | null): string =>
  timeText(moment, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    ...(Math.abs(Date.parse(moment) - Date.now()) > yearDays * dayMs && { year: 'numeric' }),
    ...(zone != null && { timeZone: zone }),
  })

/** Whether moments read differently in another zone than in that of the person. */
export const differsInZone = (moments: readonly string[], zone: string): boolean =>
  moments.some((moment) => dayTimeText(moment, zone) !== dayTimeText(moment))

/** Later times are dates. */
const relativeDays = 60

/** `in 3 hours`, `tomorrow`, a date. */
export function untilText(moment: string, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  const minutes = Math.round((Date.parse(moment) - now) / 60_000)
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  if (hours > relativeDays * 24) return dayTimeText(moment)
  return Math.abs(hours) < 36 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day')
}
