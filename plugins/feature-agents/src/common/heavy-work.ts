import type { Limit, Quotas } from '@agent-service/sdk/services/quotas'

/** Work that keeps the store or the event loop busy for long, which one user could ask for again and again. */
export interface HeavyWork {
  /** Searches over all chats of a user. */
  readonly searches: Limit
  /** Chats that are read as a whole, for as long as the client reads. */
  readonly exports: Limit
  /** Chats that are taken in. Of one user one at a time. */
  readonly imports: Limit
}

/** Declares the shares that users have of it. What finds no room waits, and users take turns. */
export const createHeavyWork = (quotas: Quotas): HeavyWork => ({
  searches: quotas.limit({
    name: 'chat-searches',
    counts: 'searches',
    maxPerHolder: 2,
    maxTotal: 32,
    waiting: { maxPerHolder: 8, maxTotal: 1_000, maxMs: 10_000 },
  }),
  exports: quotas.limit({
    name: 'chat-exports',
    counts: 'exports of chats',
    maxPerHolder: 2,
    maxTotal: 64,
    waiting: { maxPerHolder: 4, maxTotal: 1_000, maxMs: 10_000 },
  }),
  imports: quotas.limit({
    name: 'chat-imports',
    counts: 'imports of chats',
    maxPerHolder: 1,
    maxTotal: 8,
    waiting: { maxPerHolder: 1, maxTotal: 1_000, maxMs: 30_000 },
  }),
})

/** Does the work once there is room for it. @throws `limit_reached`, `overloaded`, the reason of the signal. */
export async function inTurn<Result>(limit: Limit, userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const hold = await limit.acquire(`user:${userId}`, 1, { signal })
  try {
    return await work()
  } finally {
    hold.release()
  }
}
