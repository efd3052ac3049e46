import { ServiceError } from '@agent-service/sdk'
import { vaultRateLimitedError } from '@agent-service/sdk/contracts/vault-connector'
import type { Limit, LimitDefinition } from '@agent-service/sdk/services/quotas'
import { vault } from './connection/vault-name.js'

/** Two keys are derived or syncs read at once, one of each connection. */
export const bitwardenWork: LimitDefinition = {
  name: 'vault-bitwarden-work',
  counts: 'calls of Bitwarden accounts',
  maxPerHolder: 1,
  maxTotal: 2,
  waiting: { maxPerHolder: 32, maxTotal: 256, maxMs: 60_000 },
}

/** Writes of a connection go one after the other: servers do not see a conflict within a second. */
export const bitwardenWrites: LimitDefinition = {
  name: 'vault-bitwarden-writes',
  counts: 'writes to Bitwarden accounts',
  maxPerHolder: 1,
  maxTotal: 64,
  waiting: { maxPerHolder: 32, maxTotal: 256, maxMs: 60_000 },
}

/** Does costly work of a connection when it is its turn. @throws `vault_rate_limited` when too much waits. */
export type TakeTurn = <T>(id: string, options: { readonly signal: AbortSignal }, work: () => Promise<T>) => Promise<T>

export const createTakeTurn =
  (limit: Limit): TakeTurn =>
  async (id, { signal }, work) => {
    const place = await limit.acquire(`vault:${id}`, 1, { signal }).catch(busy)
    try {
      return await work()
    } finally {
      place.release()
    }
  }

function busy(error: unknown): never {
  if (!ServiceError.isInstance(error)) throw error
  const { retryAfterSeconds: seconds } = error
  throw vaultRateLimitedError.create({ vault, ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 }) }, { cause: error })
}
