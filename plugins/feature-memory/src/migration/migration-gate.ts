import type { Clock } from '@agent-service/sdk/services/clock'
import type { WriteGate } from '../backend/write-gate.js'
import { memoryMovingError } from '../common/errors.js'

const pollMs = 100

/**
 * Holds the changes of users whose memories have not been caught up after the other back end was
 * taken into use; those who wait are caught up first. Until then, and afterwards, it is open.
 */
export interface MigrationGate extends WriteGate {
  /** Holds everyone for whom `isThrough` is false. */
  close(isThrough: (userId: string) => Promise<boolean>): void
  /** Everyone was caught up but a few: holds only those from here on. */
  narrow(isThrough: (userId: string) => Promise<boolean>): void
  open(): void
  /** Whether it holds everyone who was not caught up yet, not just a few. */
  isClosed(): boolean
  /** Whether it holds only those few. */
  isNarrow(): boolean
  /** Someone who waits and is not in `seen`, to be caught up next. */
  next(seen: ReadonlySet<string>): string | undefined
}

export function createMigrationGate({
  clock,
  maxWaitMs = 20_000,
}: {
  readonly clock: Pick<Clock, 'monotonic' | 'wait'>
  readonly maxWaitMs?: number
}): MigrationGate {
  let isThrough: ((userId: string) => Promise<boolean>) | undefined
  let isNarrow = false
  const through = new Set<string>()
  const waiting = new Map<string, number>()
  const maxKnown = 10_000

  const mayPass = async (userId: string): Promise<boolean> => {
    if (isThrough === undefined || through.has(userId)) return true
    if (!(await isThrough(userId))) return false
    if (through.size < maxKnown) through.add(userId)
    return true
  }
  const awaitTurn = async (userId: string, signal: AbortSignal): Promise<void> => {
    const until = clock.monotonic() + maxWaitMs
    waiting.set(userId, (waiting.get(userId) ?? 0) + 1)
    try {
      while (!(await mayPass(userId))) {
        if (clock.monotonic() >= until) throw memoryMovingError.create({}, { retryAfterSeconds: 5 })
        await clock.wait(pollMs, { signal })
      }
    } finally {
      const others = (waiting.get(userId) ?? 1) - 1
      if (others === 0) waiting.delete(userId)
      else waiting.set(userId, others)
    }
  }

  return {
    async pass(userId, signal, work) {
      if (!(await mayPass(userId))) await awaitTurn(userId, signal)
      return work()
    },
    close(decide) {
      through.clear()
      isThrough = decide
      isNarrow = false
    },
    narrow(decide) {
      isThrough = decide
      isNarrow = true
    },
    open() {
      isThrough = undefined
      through.clear()
    },
    isClosed: () => isThrough !== undefined && !isNarrow,
    isNarrow: () => isThrough !== undefined && isNarrow,
    next: (seen) => [...waiting.keys()].find((userId) => !seen.has(userId)),
  }
}
