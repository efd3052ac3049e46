import type { Clock } from '@agent-service/sdk/services/clock'
import type { Quotas } from '@agent-service/sdk/services/quotas'

const minuteMs = 60_000

/** What one user may do with memories at a time, so that others have their turn. */
export interface RequestShares {
  /** Runs a request once there is room. @throws `limit_reached`, `overloaded`, the signal's reason. */
  run<Result>(userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** The same for exports and imports, which take long. */
  transfer<Result>(userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** A place for an export, to be released when its reader has left. */
  beginTransfer(userId: string, signal: AbortSignal): Promise<{ release(): void }>
  /** Counts something that is remembered, by the person or an agent. @throws `limit_reached`. */
  countRemembered(userId: string): void
  /** Counts something that an agent forgets. @throws `limit_reached`. */
  countForgotten(userId: string): void
}

export function createRequestShares({ quotas, clock }: { readonly quotas: Quotas; readonly clock: Clock }): RequestShares {
  const requests = quotas.limit({
    ...{ name: 'memory-requests', counts: 'requests to the memory at a time', maxPerHolder: 4, maxTotal: 32 },
    waiting: { maxPerHolder: 16, maxTotal: 256, maxMs: 15_000 },
  })
  const transfers = quotas.limit({
    ...{ name: 'memory-transfers', counts: 'exports and imports of memories at a time', maxPerHolder: 1, maxTotal: 4 },
    waiting: { maxPerHolder: 2, maxTotal: 50, maxMs: 20_000 },
  })
  const remembered = quotas.limit({ name: 'memories-per-minute', counts: 'things to remember in a minute', maxPerHolder: 60 })
  const forgotten = quotas.limit({
    name: 'memories-forgotten-per-minute',
    counts: 'memories that agents forget in a minute',
    maxPerHolder: 10,
  })
  const count = (limit: typeof remembered, userId: string): void => {
    const hold = limit.take(`user:${userId}`)
    clock.after(minuteMs, () => hold.release())
  }
  const held = async <Result>(limit: typeof requests, userId: string, signal: AbortSignal, work: () => Promise<Result>) => {
    const hold = await limit.acquire(`user:${userId}`, 1, { signal })
    try {
      return await work()
    } finally {
      hold.release()
    }
  }
  return {
    run: (userId, signal, work) => held(requests, userId, signal, work),
    transfer: (userId, signal, work) => held(transfers, userId, signal, work),
    beginTransfer: (userId, signal) => transfers.acquire(`user:${userId}`, 1, { signal }),
    countRemembered: (userId) => count(remembered, userId),
    countForgotten: (userId) => count(forgotten, userId),
  }
}
