import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import {
  type SearchConnection,
  type SearchQuery,
  type SearchResult,
  searchProviders,
  searchQueryRefusedError,
  searchRateLimitedError,
  searchUnauthorizedError,
  searchUnavailableError,
} from '@agent-service/sdk/contracts/search-provider'
import { searchResultsOf } from '@agent-service/sdk/search'
import type { Contributions } from '@agent-service/sdk/services/contributions'

const maxAttemptMs = 25_000

const contractErrors = [searchUnauthorizedError, searchRateLimitedError, searchQueryRefusedError, searchUnavailableError]

/** One question to one provider. */
export interface ProviderQuestion {
  readonly provider: { readonly id: string; readonly title: string; readonly connection: SearchConnection }
  readonly query: SearchQuery
  readonly signal: AbortSignal
}

/**
 * Asks a provider once. Whatever it does, the outcome keeps the contract: results are cleaned once more,
 * other errors become `search_unavailable` and are logged, and it takes 25 seconds at most.
 */
export async function askProvider(
  { provider, query, signal }: ProviderQuestion,
  { contributions, log }: { readonly contributions: Pick<Contributions, 'acquire'>; readonly log: Pick<Logger, 'error'> },
): Promise<readonly SearchResult[]> {
  const { id, title, connection } = provider
  const unavailable = (reason: string, cause?: unknown) => searchUnavailableError.create({ provider: title, reason }, { cause })
  const lease = contributions.acquire(searchProviders, id)
  if (!lease) throw unavailable('its plugin does not run')
  try {
    const work = (limited: AbortSignal) => lease.value.search(query, connection, { signal: AbortSignal.any([limited, lease.signal]) })
    const timedOut = () => unavailable(`it took longer than ${maxAttemptMs} ms`)
    const { results } = await withTimeLimit(work, { limitMs: maxAttemptMs, signal, timedOut })
    return searchResultsOf(results, { limit: query.limit })
  } catch (error) {
    signal.throwIfAborted()
    if (contractErrors.some((known) => known.isInstance(error))) throw error
    if (lease.signal.aborted) throw unavailable('its plugin stops', error)
    log.error('A search provider failed against its contract.', { provider: id, plugin: lease.pluginId, error })
    throw unavailable('it failed', error)
  } finally {
    lease.release()
  }
}
