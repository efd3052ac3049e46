import type { Clock } from '@agent-service/sdk/services/clock'

/** How fast the output of one process is read: 16 MiB in a second. */
const maxBytesInSpan = 1_677_722
const spanMs = 100

/**
 * Slows the reading of a process that writes as fast as it can. The process waits meanwhile, and
 * the service has time for others.
 */
export function createPace(clock: Pick<Clock, 'monotonic' | 'wait'>) {
  let begun = clock.monotonic()
  let taken = 0
  return {
    /** Resolves when more may be read; at once after an abort. */
    async took(bytes: number, signal: AbortSignal): Promise<void> {
      taken += bytes
      if (taken < maxBytesInSpan) return
      const left = begun + spanMs - clock.monotonic()
      if (left > 0) await clock.wait(left, { signal }).catch(() => undefined)
      begun = clock.monotonic()
      taken = 0
    },
  }
}
