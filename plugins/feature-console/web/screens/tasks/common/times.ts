import { locale } from '../../../i18n/language.js'

/** The zone of this device. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

/** From so many days away on, a date has its year. */
const yearDays = 300
const dayMs = 86_400_000

/** `Mon 24 Nov, 09:00` in a zone; without one in that of this device. */
export const dayTimeText = (moment: string, zone?: string | null): string =>
  new Intl.DateTimeFormat(locale(), {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    ...(Math.abs(Date.parse(moment) - Date.now()) > yearDays * dayMs && { year: 'numeric' }),
    ...(zone != null && { timeZone: zone }),
  }).format(new Date(moment))

/** Whether moments read differently in another zone than on this device. */
export const differs = (moments: readonly string[], zone: string): boolean =>
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

/** The value of a `datetime-local` field, in the zone of this device. */
export function fieldOfMoment(moment: string): string {
  const at = new Date(moment)
  const pad = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/** The moment of such a field; `undefined`: it has none. */
export function momentOfField(value: string): string | undefined {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
