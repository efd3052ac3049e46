import type { CalendarSchedule } from '@agent-service/sdk/schedule'
import { nextTime } from '@agent-service/sdk/schedule'
import type { Clock } from '@agent-service/sdk/services/clock'

export interface JobTimes {
  /** The next due time, on the monotonic clock. Infinity: never again. */
  dueAt(): number
  /**
   * Advances past the due time. Returns it if it is a calendar time, in milliseconds since
   * 1970-01-01.
   */
  next(): number | undefined
  /** The time of {@link next} could not be used: schedules it again soon. */
  retry(occurrence: number | undefined): void
}

/** If the clock is set back by more than this, it was wrong before. */
const clockStepMs = 3_600_000
/** The delay before a calendar time is tried again that another process should have used. */
const calendarRetryMs = 10_000

/** Runs from start to start, without drifting; missed times are skipped. */
export function createIntervalTimes(options: {
  readonly clock: Clock
  readonly intervalMs: number
  readonly firstDelayMs: number
  readonly retryMs: number
}): JobTimes {
  const { clock, intervalMs } = options
  let dueAt = clock.monotonic() + options.firstDelayMs
  return {
    dueAt: () => dueAt,
    next() {
      const now = clock.monotonic()
      dueAt = dueAt + intervalMs > now ? dueAt + intervalMs : now + intervalMs
      return undefined
    },
    retry() {
      dueAt = Math.min(dueAt, clock.monotonic() + options.retryMs)
    },
  }
}

/**
 * Times by the calendar. They follow the wall clock, also when it is set; a used time does not
 * recur.
 */
export function createCalendarTimes(options: {
  readonly clock: Clock
  readonly schedule: CalendarSchedule
  /** The zone for schedules without one. */
  readonly timezone: string
}): JobTimes {
  const { clock, schedule, timezone } = options
  let from = clock.now()
  let next = nextTime(schedule, from, { timezone })
  let again: { readonly occurrence: number; readonly dueAt: number } | undefined

  const goOnFrom = (moment: number): void => {
    from = moment
    next = nextTime(schedule, moment, { timezone })
  }

  return {
    dueAt() {
      const now = clock.now()
      if (now < from - clockStepMs) goOnFrom(now)
      const byCalendar = next === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + next - now
      return Math.min(byCalendar, again?.dueAt ?? Number.POSITIVE_INFINITY)
    },
    next() {
      const now = clock.now()
      const pending = again?.occurrence
      again = undefined
      if (next === undefined || next > now) return pending
      const occurrence = next
      goOnFrom(Math.max(now, occurrence))
      return occurrence
    },
    retry(occurrence) {
      if (occurrence !== undefined) again = { occurrence, dueAt: clock.monotonic() + calendarRetryMs }
    },
  }
}
