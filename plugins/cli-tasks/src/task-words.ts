import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'

/** The address of a task, or of what is below it. */
export const pathOf = (id: string, below = ''): string => `/api/tasks/${encodeURIComponent(id)}${below}`

/** A time on the clock of a zone. */
export function localTime(time: JsonValue | undefined, zone: JsonValue | undefined): string {
  if (typeof time !== 'string') return ''
  const timeZone = typeof zone === 'string' ? zone : 'UTC'
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return `${format.format(new Date(time))} ${timeZone}`
}

/** When a task happens, in a few words. */
export function timesOf({ schedule, due_at }: JsonObject): string {
  const { cron } = objectOf(schedule)
  if (cron !== undefined) return String(cron)
  return typeof due_at === 'string' ? `once, ${shownTime(due_at, 'second')}` : 'once'
}
