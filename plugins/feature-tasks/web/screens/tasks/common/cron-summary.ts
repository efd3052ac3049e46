import { locale } from '@agent-service/sdk/web'
import { t } from './texts.js'

const nicknames: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
/** More times of a day are not listed. */
const maxTimes = 4

/**
 * A schedule in words: `Monday to Friday at 09:00`. Empty where words would be longer than the
 * expression, or wrong.
 */
export function cronSummary(cron: string): string {
  // As the service reads it: every dash is a hyphen.
  const plain = cron.trim().replaceAll(/[\p{Pd}\u2212]/gu, '-')
  const fields = (nicknames[plain.toLowerCase()] ?? plain).split(/\s+/)
  const [minute, hour, date, month, day] = fields
  if (fields.length !== 5 || !minute || !hour || !date || !month || !day) return ''
  const fixed = timesText(minute, hour)
  const repeated = fixed === undefined ? intervalText(minute, hour) : undefined
  const days = daysText(date, day)
  const months = month === '*' ? '' : monthsText(month)
  if ((fixed ?? repeated) === undefined || days === undefined || months === undefined) return ''
  const isDaily = date === '*' && day === '*'
  const when = fixed === undefined ? [repeated, isDaily ? '' : days].filter(Boolean).join(', ') : t('cron_days_at', { days, times: fixed })
  const text = months === '' ? when : t('cron_in_months', { when, months })
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1)
}

const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text)
const listText = (items: readonly string[]): string => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items)

const clockText = (hour: number, minute: number): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 1, hour, minute))

/** `09:00 and 18:00` */
function timesText(minute: string, hour: string): string | undefined {
  const [minutes, hours] = [minute.split(','), hour.split(',')]
  if (!minutes.every(isNumber) || !hours.every(isNumber) || minutes.length * hours.length > maxTimes) return undefined
  return listText(hours.flatMap((each) => minutes.map((other) => clockText(Number(each), Number(other)))))
}

/** `every 15 minutes from 08:00 to 18:59` */
function intervalText(minute: string, hour: string): string | undefined {
  const [, step] = /^\*\/(\d{1,2})$/.exec(minute) ?? []
  const [, hours] = /^\*\/(\d{1,2})$/.exec(hour) ?? []
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(hour) ?? []
  // A step that the hour is not a multiple of begins again on the hour.
  const minutes = minute === '*' ? 1 : step !== undefined && 60 % Number(step) === 0 ? Number(step) : undefined
  if (minutes !== undefined && hour === '*') return t('cron_every_minutes', { count: minutes })
  if (minutes !== undefined && from !== undefined && to !== undefined)
    return t('cron_between', {
      every: t('cron_every_minutes', { count: minutes }),
      from: clockText(Number(from), 0),
      to: clockText(Number(to), 60 - minutes),
    })
  if (!isNumber(minute)) return undefined
  const every = (count: number): string =>
    t(minute === '0' || minute === '00' ? 'cron_every_hours' : 'cron_every_hours_at', { count, minute })
  if (hour === '*') return every(1)
  if (hours !== undefined && 24 % Number(hours) === 0) return every(Number(hours))
  if (from === undefined || to === undefined) return undefined
  return t('cron_between', {
    every: t('cron_every_hours', { count: 1 }),
    from: clockText(Number(from), Number(minute)),
    to: clockText(Number(to), Number(minute)),
  })
}

/** `every day`, `Monday to Friday`, `on day 1 of the month` */
function daysText(date: string, day: string): string | undefined {
  if (date === '*' && day === '*') return t('cron_daily')
  const dates = date === '*' ? undefined : datesText(date)
  const days = day === '*' ? undefined : weekdaysText(day)
  if ((date !== '*' && dates === undefined) || (day !== '*' && days === undefined)) return undefined
  return dates !== undefined && days !== undefined ? t('cron_either', { dates, days }) : (dates ?? days)
}

function datesText(date: string): string | undefined {
  if (date.toUpperCase() === 'L') return t('cron_last_date')
  const dates = date.split(',').map((item) => rangeText(item, dateName))
  return dates.every((each) => each !== undefined) ? t('cron_dates', { dates: listText(dates) }) : undefined
}

const dateName = (text: string): string | undefined => (isNumber(text) ? t('cron_date', { date: Number(text) }) : undefined)

/** A value or a range of them, `1` or `Friday to Monday`. */
function rangeText(item: string, nameOf: (text: string) => string | undefined): string | undefined {
  const [from = '', to, ...more] = item.split('-')
  const [first, last] = [nameOf(from), to === undefined ? undefined : nameOf(to)]
  if (first === undefined || more.length > 0) return undefined
  if (to === undefined) return first
  return last === undefined ? undefined : t('cron_day_range', { first, last })
}

function weekdaysText(day: string): string | undefined {
  const [, of, place] = /^(\w+)#([1-5L])$/i.exec(day) ?? []
  if (of !== undefined && place !== undefined) {
    const name = weekdayName(of)
    return name === undefined ? undefined : t('cron_nth', { place: place.toUpperCase(), day: name })
  }
  if (!day.includes(',') && day.includes('-')) return rangeText(day, weekdayName)
  const names = day.split(',').map((item) => rangeText(item, weekdayName))
  return names.every((name) => name !== undefined) ? t('cron_on_days', { days: listText(names) }) : undefined
}

function monthsText(month: string): string | undefined {
  const names = month.split(',').map((item) => rangeText(item, monthName))
  return names.every((name) => name !== undefined) ? listText(names) : undefined
}

function monthName(text: string): string | undefined {
  const index = isNumber(text) ? Number(text) - 1 : monthNames.indexOf(text.toUpperCase())
  if (index < 0 || index > 11) return undefined
  return new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, index, 1))
}

/** The first of February 2026 was a Sunday. */
function weekdayName(text: string): string | undefined {
  const index = isNumber(text) ? Number(text) % 7 : dayNames.indexOf(text.toUpperCase())
  if (index < 0 || (isNumber(text) && Number(text) > 7)) return undefined
  return new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 1, 1 + index))
}
