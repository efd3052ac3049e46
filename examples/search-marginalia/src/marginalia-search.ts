import {
  defineSearchProvider,
  type SearchProvider,
  type SearchQuery,
  searchUnavailableError,
} from '@agent-service/sdk/contracts/search-provider'
import { askSearchEngine, type FoundPage, searchResultsOf } from '@agent-service/sdk/search'

const title = 'Marginalia'

/** How to search. */
export interface MarginaliaOptions {
  /** The most results of one site. Default: what the engine finds fit. */
  readonly maxPerSite?: number | undefined
  /** The name of a filter that belongs to the API key. Default: none. */
  readonly filter?: string | undefined
  /** Another address in tests. */
  readonly baseUrl?: string
}

/** Searches with `GET /search` (https://about.marginalia-search.com/article/api). The engine knows no freshness and no language. */
export const createMarginaliaSearch = ({ baseUrl = 'https://api2.marginalia-search.com', ...options }: MarginaliaOptions): SearchProvider =>
  defineSearchProvider({
    id: 'marginalia',
    title,
    // The service reads this variable, and hands its value to each search.
    keyVariable: 'MARGINALIA_API_KEY',
    async search(query, { apiKey = '' }, { signal }) {
      const url = new URL(`/search?${parametersOf(query, options)}`, baseUrl)
      // The key goes into a header: addresses are logged everywhere. What goes wrong becomes an error of the contract.
      const answer = await askSearchEngine({ provider: title, url, headers: { 'api-key': apiKey } }, { signal })
      return { results: searchResultsOf(pagesOf(answer), { limit: query.limit }) }
    },
  })

const parametersOf = ({ text, limit }: SearchQuery, { maxPerSite, filter }: MarginaliaOptions): URLSearchParams =>
  new URLSearchParams({
    query: text,
    count: String(limit),
    ...(maxPerSite !== undefined && { dc: String(maxPerSite) }),
    ...(filter !== undefined && { filter }),
  })

interface MarginaliaPage {
  readonly url?: unknown
  readonly title?: unknown
  readonly description?: unknown
}

/** The pages of an answer, which may be anything. Each page is checked when it becomes a result. */
function pagesOf(answer: unknown): readonly FoundPage[] {
  const { results } = (answer ?? {}) as { readonly results?: readonly (MarginaliaPage | null)[] }
  if (!Array.isArray(results)) throw searchUnavailableError.create({ provider: title, reason: 'its answer has no results' })
  return results.map((page: MarginaliaPage | null) => ({ url: page?.url, title: page?.title, snippet: page?.description }))
}
