import type { ServiceError } from '@agent-service/sdk'
import {
  defineSearchProvider,
  type SearchProvider,
  searchRateLimitedError,
  searchUnavailableError,
} from '@agent-service/sdk/contracts/search-provider'
import { askSearchEngine, type FoundPage, retryAfterOf, type SearchEngineAnswer, searchResultsOf } from '@agent-service/sdk/search'

const title = 'Tavily'

/** The statuses that say that the plan, or what was set as its limit, is used up. */
const usedUp: ReadonlySet<number> = new Set([432, 433])

/**
 * Searches with Tavily's `POST /search`. It knows no languages, so that part of a query has no effect.
 * `baseUrl` is another one in tests.
 */
export const createTavilySearch = ({ baseUrl = 'https://api.tavily.com' }: { readonly baseUrl?: string } = {}): SearchProvider =>
  defineSearchProvider({
    id: 'hosted_a',
    title,
    keyVariable: 'TAVILY_API_KEY',
    async search({ text, limit, freshness }, { apiKey = '' }, { signal }) {
      const answer = await askSearchEngine(
        {
          provider: title,
          url: new URL('/search', baseUrl),
          headers: { authorization: `Bearer ${apiKey}` },
          body: {
            ...{ query: text, max_results: limit, search_depth: 'basic', include_answer: false, include_raw_content: false },
            ...(freshness !== undefined && { time_range: freshness }),
          },
          failureOf,
        },
        { signal },
      )
      return { results: searchResultsOf(pagesOf(answer), { limit }) }
    },
  })

function failureOf({ status, header }: SearchEngineAnswer): ServiceError | undefined {
  if (!usedUp.has(status)) return undefined
  const retryAfterMs = retryAfterOf(header('retry-after'))
  return searchRateLimitedError.create({ provider: title, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

interface TavilyPage {
  readonly url?: unknown
  readonly title?: unknown
  readonly content?: unknown
  readonly published_date?: unknown
}

function pagesOf(answer: unknown): readonly FoundPage[] {
  const { results } = (answer ?? {}) as { readonly results?: readonly (TavilyPage | null)[] }
  if (!Array.isArray(results)) throw searchUnavailableError.create({ provider: title, reason: 'its answer has no results' })
  return results.map((page: TavilyPage | null) => ({
    ...{ url: page?.url, title: page?.title, snippet: page?.content, publishedAt: page?.published_date },
  }))
}
