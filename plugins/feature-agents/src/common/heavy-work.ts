import type { Limit, Quotas } from '@agent-service/sdk/services/quotas'

/**
 * Work that keeps the store or the event loop busy for long, and that one user could request
 * repeatedly.
 */
export interface HeavyWork {
  /** Searches over all chats of a user. */
  readonly searches: Limit
  /** Exports of whole chats; each lasts as long as the client reads. */
  readonly exports: Limit
  /** Imports of chats, one at a time for each user. */
  readonly imports: Limit
  /** Titles that models make. */
  readonly titles: Limit
}

/** Declares each user's share. Work beyond it waits, and users take turns. */
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
  titles: quotas.limit({
    name: 'chat-titles',
    counts: 'titles of chats',
    maxPerHolder: 2,
    maxTotal: 8,
    waiting: { maxPerHolder: 100, maxTotal: 1_000, maxMs: 120_000 },
  }),
})

/**
 * Does the work as soon as the limit has room. @throws `limit_reached`, `overloaded`, the signal's
 * reason.
 */
export async function inTurn<Result>(limit: Limit, userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const hold = await limit.acquire(`user:${userId}`, 1, { signal })
  try {
    return await work()
  } finally {
    hold.release()
  }
}
