import type { Disposer, Logger } from '@agent-service/sdk'
import { createLimiter } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'

/** How long after a failure a line is looked at again, in milliseconds. */
const retryMs = 5_000
/** The longest delay that a timer can hold, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1

/** Works off lines, each in its order and by one worker, several lines at a time. Keeps nothing of idle ones. */
export interface LaneWorker {
  /** A line has more; without a name every line is looked for. */
  wake(line?: string): void
  /** Begins nothing more, and resolves when what is at work has ended. */
  end(): Promise<void>
}

export function createLaneWorker(dependencies: {
  /** Lines with something in them, in pages. */
  readonly lines: () => AsyncIterable<string>
  /** Works a line off. Returns how long until it has to be looked at again, in milliseconds. */
  readonly drain: (line: string, signal: AbortSignal) => Promise<number | undefined>
  readonly maxConcurrent: number
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}): LaneWorker {
  const { lines, drain, maxConcurrent, clock, log } = dependencies
  const limiter = createLimiter({ maxConcurrent, maxWaiting: 10_000 })
  const ending = new AbortController()
  const atWork = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const timers = new Map<string, Disposer>()
  let looking: Promise<void> | undefined
  let isLookAgain = false

  const later = (line: string, delayMs: number): void => {
    void timers.get(line)?.()
    timers.set(
      line,
      clock.after(Math.min(maxDelayMs, Math.max(0, delayMs)), () => {
        timers.delete(line)
        wakeLine(line)
      }),
    )
  }
  const work = async (line: string): Promise<void> => {
    let delayMs: number | undefined
    try {
      const release = await limiter.acquire({ signal: ending.signal })
      try {
        again.delete(line)
        delayMs = await drain(line, ending.signal)
      } finally {
        release()
      }
    } catch (error) {
      if (ending.signal.aborted) return
      log.error('Messages of a channel could not be worked off; it is tried again soon.', { error })
      delayMs = retryMs
    } finally {
      atWork.delete(line)
    }
    if (ending.signal.aborted) return
    if (again.delete(line)) wakeLine(line)
    else if (delayMs !== undefined) later(line, delayMs)
  }
  const wakeLine = (line: string): void => {
    if (ending.signal.aborted) return
    void timers.get(line)?.()
    timers.delete(line)
    if (atWork.has(line)) again.add(line)
    else atWork.set(line, work(line))
  }
  const look = async (): Promise<void> => {
    do {
      isLookAgain = false
      for await (const line of lines()) {
        if (ending.signal.aborted) return
        wakeLine(line)
      }
    } while (isLookAgain && !ending.signal.aborted)
  }
  return {
    wake(line) {
      if (ending.signal.aborted) return
      if (line !== undefined) return wakeLine(line)
      isLookAgain = true
      looking ??= look()
        .catch((error: unknown) => {
          if (!ending.signal.aborted)
            log.error('Waiting messages of channels could not be looked for; the next poll tries again.', { error })
        })
        .finally(() => {
          looking = undefined
        })
    },
    async end() {
      ending.abort(new Error('The service is stopping.'))
      for (const stop of timers.values()) void stop()
      timers.clear()
      await looking
      await Promise.all(atWork.values())
    },
  }
}
