/** How far a date of the service may be from ours before signatures follow it, in milliseconds. */
const toleranceMs = 60_000

/** The time as the service has it: signatures are refused where both clocks differ by more than minutes. */
export interface ServiceClock {
  /** In milliseconds since 1970. */
  now(): number
  /** Reads the `date` of an answer. True when the time changed by more than a minute, so that a new signature may be accepted. */
  learn(date: string | null): boolean
}

/** Makes a clock that goes with ours until an answer says otherwise. */
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
