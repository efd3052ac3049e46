import type { CalendarSchedule } from '@agent-service/sdk/schedule'
import { nextTime } from '@agent-service/sdk/schedule'
import type { Clock } from '@agent-service/sdk/services/clock'

/** When one job is to run. */
export interface JobTimes {
  /** When it should run next, on the monotonic clock. Infinity: never again. */
  dueAt(): number
  /** Goes on behind the time that is due. Gives it where the calendar named it, in milliseconds since 1970. */
  next(): number | undefined
  /** The time that {@link next} gave could not be used: comes back to it soon. */
  retry(occurrence: number | undefined): void
}

/** A clock that was put back by more than this was wrong before. */
const clockStepMs = 3_600_000
/** How soon a time of the calendar is tried again that another process was to use. */
const calendarRetryMs = 10_000

/** Runs from start to start, without drifting; times that have already passed are not made up for. */
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

/** Times by the calendar. The clock on the wall decides, also when it is set meanwhile; a time that was used does not come again. */
export function createCalendarTimes(options: {
  readonly clock: Clock
  readonly schedule: CalendarSchedule
  /** Where the schedule names none. */
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
