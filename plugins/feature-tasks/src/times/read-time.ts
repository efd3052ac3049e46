import { nextTime } from '@agent-service/sdk/schedule'

const local = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::\d{2})?$/
const withOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/
const aDayAndAHalfMs = 36 * 3_600_000

/**
 * The moment of a time with its offset, or of a time on the clock of a zone: one that the spring
 * leaves out is the first moment after the gap, one that the autumn repeats is the first.
 * `undefined`: it is no time.
 */
export function readTime(text: string, timezone: string): number | undefined {
  if (withOffset.test(text)) {
    const moment = Date.parse(text)
    return Number.isNaN(moment) ? undefined : moment
  }
  const [, year = '', month = '', day = '', hour = '', minute = ''] = local.exec(text) ?? []
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const isDay = !Number.isNaN(midnight) && year !== '' && new Date(midnight).toISOString().startsWith(`${year}-${month}-${day}`)
  if (!isDay || Number(hour) > 23 || Number(minute) > 59) return undefined
  return nextTime({ cron: `${Number(minute)} ${Number(hour)} ${Number(day)} ${Number(month)} *` }, midnight - aDayAndAHalfMs, { timezone })
}
