/** How far a date of the service may be from ours before signatures follow it, in milliseconds. */
const toleranceMs = 60_000

/** The service's time: signatures are refused if the clocks differ by minutes. */
export interface ServiceClock {
  /** In milliseconds since 1970. */
  now(): number
  /**
   * Reads the `date` of an answer. True if the time changed by more than a minute, so a new
   * signature may be accepted.
   */
  learn(date: string | null): boolean
}

/** Makes a clock that follows the local one until an answer differs. */
export function createServiceClock(now: () => number): ServiceClock {
  let offset = 0
  return {
    now: () => now() + offset,
    learn(date) {
      const moment = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(moment) || Math.abs(moment - now() - offset) <= toleranceMs) return false
      offset = moment - now()
      return true
    },
  }
}
