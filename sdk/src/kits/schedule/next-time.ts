import { Cron } from 'croner'
import type { Problem } from '../../core/errors.js'
import type { CalendarSchedule } from './calendar-schedule.js'
import { scheduleInvalidError } from './errors.js'
import { readCron } from './read-cron.js'

/**
 * What is wrong with a schedule, each problem with its member (`/cron`, `/timezone`), the field and
 * character, and how to mend it. Empty when it holds: it can be read, its zone is known, and it
 * comes round.
 */
export function checkSchedule(schedule: CalendarSchedule): readonly Problem[] {
  const { cron, timezone } = schedule
  if (typeof cron !== 'string') return [{ path: '/cron', message: 'must be a text such as “0 3 * * *”' }]
  const { expression, problems: unread = [] } = readCron(cron)
  const problems = [...unread, ...(timezone === undefined ? [] : checkTimezone(timezone))]
  if (problems.length > 0 || expression === undefined) return problems
  return timeAfter(expression, timezone ?? 'UTC', Date.UTC(2026, 0)) === undefined
    ? [{ path: '/cron', message: 'never comes round: no month has such a day' }]
    : []
}

/**
 * The first time of a schedule after a moment, both in milliseconds since 1970; `undefined` if
 * there is none. `timezone` is the default for a zone that the schedule leaves out; default UTC.
 *
 * Where clocks change: a schedule whose minutes and hours are all written out (values, ranges and
 * lists: `30 2 * * *`) keeps its days. A time that is left out comes at the first moment after the
 * gap, and one that comes twice counts the first time only. One with `*` or a step in its minutes
 * or hours (every quarter of an hour) goes by the clock on the wall: what is left out is left out,
 * and what comes twice comes twice.
 * @throws `schedule_invalid` with every problem.
 */
export function nextTime(schedule: CalendarSchedule, after: number, options: { readonly timezone?: string } = {}): number | undefined {
  const timezone = schedule.timezone ?? options.timezone ?? 'UTC'
  const { expression, problems: unread = [] } = readCron(schedule.cron)
  const problems = [...unread, ...checkTimezone(timezone)]
  if (problems.length > 0 || expression === undefined) {
    const reason = problems.map(({ message }) => message).join('; ')
    throw scheduleInvalidError.create({ cron: schedule.cron, reason }, { problems })
  }
  return timeAfter(expression, timezone, after)
}

function timeAfter(expression: string, timezone: string, after: number): number | undefined {
  const cron = new Cron(expression, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
  return cron.nextRun(new Date(after))?.getTime()
}

function checkTimezone(timezone: string): readonly Problem[] {
  try {
    // An offset such as “+02:00” is accepted too, but has no daylight saving time.
    if (/^[A-Za-z]/.test(timezone) && new Intl.DateTimeFormat('en', { timeZone: timezone })) return []
  } catch {
    // Not known: refused below.
  }
  return [{ path: '/timezone', message: `“${timezone}” is not a known time zone; ${zoneAdvice(timezone)}` }]
}

function zoneAdvice(given: string): string {
  const name = given.trim().replaceAll(' ', '_').toLowerCase()
  const likely = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === name || zone.toLowerCase().endsWith(`/${name}`))
  if (name !== '' && likely !== undefined) return `write “${likely}”`
  const [, sign, hours] = /^(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?$/.exec(name) ?? []
  const fixed =
    hours === undefined || Number(hours) > 12 ? '' : `, or “Etc/GMT${sign === '+' ? '-' : '+'}${hours}” for this offset all year`
  return `use an IANA name such as Europe/Vienna${fixed}`
}
