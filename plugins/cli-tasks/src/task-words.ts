import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** The address of a task, or of what is below it. */
export const pathOf = (id: string, below = ''): string => `/api/tasks/${encodeURIComponent(id)}${below}`

/** A time of the API for people: UTC, to the second. */
export const shownTime = (time: JsonValue | undefined): string =>
  typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 19)}` : ''

/** A time on the clock of a zone. */
export function localTime(time: JsonValue | undefined, zone: JsonValue | undefined): string {
  if (typeof time !== 'string') return ''
  const timeZone = typeof zone === 'string' ? zone : 'UTC'
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return `${format.format(new Date(time))} ${timeZone}`
}

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

/** When a task happens, in a few words. */
export function timesOf({ schedule, due_at }: JsonObject): string {
  const { cron } = objectOf(schedule)
  if (cron !== undefined) return String(cron)
  return typeof due_at === 'string' ? `once, ${shownTime(due_at)}` : 'once'
}
