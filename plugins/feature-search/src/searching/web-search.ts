import { type Logger, ServiceError } from '@agent-service/sdk'
import type { SearchQuery, SearchResult } from '@agent-service/sdk/contracts/search-provider'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { searchNotConfiguredError } from '../common/errors.js'
import type { SearchMetrics } from '../common/metrics.js'
import type { ProviderSelection } from '../selection/provider-selection.js'
import { askProvider } from './ask-provider.js'
import { createResultCache } from './result-cache.js'
import { withRetries } from './with-retries.js'

const windowMs = 60_000

/** What a search found, and with what. */
export interface FoundResults {
  readonly provider: { readonly id: string; readonly title: string }
  readonly results: readonly SearchResult[]
}

/** Searches of users. */
export interface WebSearch {
  /**
   * Searches with the chosen provider, with retries, or answers from the cache of this user's last five
   * minutes. @throws `search_not_configured`, the errors of the contract, those of the limits, or the
   * reason of the signal.
   */
  search(query: SearchQuery, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<FoundResults>
  /** The same once, at once, past cache and retries: a test of the configuration. */
  test(query: SearchQuery, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<FoundResults>
}

/** Makes the searches. */
export function createWebSearch(dependencies: {
  readonly selection: Pick<ProviderSelection, 'choose'>
  readonly contributions: Pick<Contributions, 'acquire'>
  readonly clock: Clock
  readonly metrics: SearchMetrics
  readonly log: Logger
  /** Searches of a user at a time. */
  readonly concurrent: Limit
  /** Searches of a user within a minute. */
  readonly perMinute: Limit
}): WebSearch {
  const { selection, contributions, clock, metrics, log, concurrent, perMinute } = dependencies
  const cache = createResultCache({ clock })

  const withinLimits = async <T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const holder = `user:${userId}`
    const recent = perMinute.take(holder)
    clock.after(windowMs, () => recent.release())
    const hold = await concurrent.acquire(holder, 1, { signal })
    try {
      return await work()
    } finally {
      hold.release()
    }
  }

  const chosen = () => {
    const choice = selection.choose()
    if (!choice.available) throw searchNotConfiguredError.create({ reason: choice.reason })
    return choice
  }

  const measured = async (provider: string, signal: AbortSignal, work: () => Promise<readonly SearchResult[]>) => {
    const begin = clock.monotonic()
    try {
      const results = await work()
      metrics.ended(provider, results.length === 0 ? 'nothing' : 'found')
      return results
    } catch (error) {
      metrics.ended(provider, signal.aborted ? 'aborted' : ServiceError.isInstance(error) ? error.code : 'failed')
      throw error
    } finally {
      metrics.took(provider, clock.monotonic() - begin)
    }
  }

  return {
    async search(query, { userId, signal }) {
      const provider = chosen()
      const { id, title } = provider
      const kept = cache.find({ userId, provider: id, query })
      if (kept) {
        metrics.ended(id, 'cached')
        return { provider: { id, title }, results: kept }
      }
      const ask = () => askProvider({ provider, query, signal }, { contributions, log })
      const results = await withinLimits(userId, signal, () =>
        measured(id, signal, () => withRetries(ask, { signal, clock, onRetry: () => metrics.retried(id) })),
      )
      cache.keep({ userId, provider: id, query }, results)
      return { provider: { id, title }, results }
    },
    async test(query, { userId, signal }) {
      const provider = chosen()
      const { id, title } = provider
      const ask = () => askProvider({ provider, query, signal }, { contributions, log })
      const results = await withinLimits(userId, signal, () => measured(id, signal, ask))
      return { provider: { id, title }, results }
    },
  }
}
