import type { ServiceError } from '@agent-service/sdk'
import {
  defineSearchProvider,
  type SearchProvider,
  type SearchQuery,
  searchRateLimitedError,
  searchUnauthorizedError,
  searchUnavailableError,
} from '@agent-service/sdk/contracts/search-provider'
import { askSearchEngine, type FoundPage, retryAfterOf, type SearchEngineAnswer, searchResultsOf } from '@agent-service/sdk/search'
import { braveLanguage } from './languages.js'

const title = 'Brave Search'

const freshnesses = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Codes of refusals that are about the key or what was subscribed, whatever the status. */
const keyCodes: ReadonlySet<string> = new Set([
  ...['SUBSCRIPTION_TOKEN_INVALID', 'SUBSCRIPTION_TOKEN_MISSING', 'SUBSCRIPTION_NOT_FOUND', 'RESOURCE_NOT_ALLOWED', 'OPTION_NOT_IN_PLAN'],
])

/** Searches with Brave's `GET /res/v1/web/search`. `baseUrl` is another one in tests. */
export const createBraveSearch = ({ baseUrl = 'https://api.search.brave.com' }: { readonly baseUrl?: string } = {}): SearchProvider =>
  defineSearchProvider({
    id: 'hosted_b',
    title,
    keyVariable: 'BRAVE_API_KEY',
    async search(query, { apiKey = '' }, { signal }) {
      const url = new URL(`/res/v1/web/search?${parametersOf(query)}`, baseUrl)
      const answer = await askSearchEngine({ provider: title, url, headers: { 'x-subscription-token': apiKey }, failureOf }, { signal })
      return { results: searchResultsOf(pagesOf(answer), { limit: query.limit }) }
    },
  })

function parametersOf({ text, limit, freshness, language }: SearchQuery): URLSearchParams {
  const searchLanguage = language === undefined ? undefined : braveLanguage(language)
  return new URLSearchParams({
    ...{ q: text, count: String(limit), country: 'ALL', result_filter: 'web', text_decorations: 'false' },
    ...(freshness !== undefined && { freshness: freshnesses[freshness] }),
    ...(searchLanguage !== undefined && { search_lang: searchLanguage }),
  })
}

interface BraveRefusal {
  readonly code?: unknown
  readonly meta?: { readonly errors?: readonly { readonly loc?: unknown }[] }
}

function failureOf({ status, header, json }: SearchEngineAnswer): ServiceError | undefined {
  if (status === 200) return undefined
  const { error } = (json ?? {}) as { readonly error?: BraveRefusal | null }
  if (keyCodes.has(String(error?.code)) || isAboutKey(error))
    return searchUnauthorizedError.create({ provider: title, reason: `it answers ${status}, because of the key` })
  if (status !== 429 && status !== 402) return undefined
  const retryAfterMs = retryAfterOf(header('retry-after')) ?? resetOf(header('x-ratelimit-remaining'), header('x-ratelimit-reset'))
  return searchRateLimitedError.create({ provider: title, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** A request without a key is refused as a parameter that is missing. */
function isAboutKey(error: BraveRefusal | null | undefined): boolean {
  const errors = error?.meta?.errors
  return Array.isArray(errors) && errors.some(({ loc }) => Array.isArray(loc) && loc.includes('x-subscription-token'))
}

/** Both headers have one number for each limit, such as that of a second and that of a month: the latest reset of those used up. */
function resetOf(remaining: string | undefined, reset: string | undefined): number | undefined {
  const left = numbersOf(remaining)
  const waits = numbersOf(reset).filter((_, index) => (left[index] ?? 1) <= 0)
  return waits.length === 0 ? undefined : retryAfterOf(String(Math.max(...waits)))
}

const numbersOf = (list: string | undefined): readonly number[] =>
  list === undefined || !/^[\d\s,]+$/.test(list) ? [] : list.split(',').map((text) => Number(text))

interface BravePage {
  readonly url?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly page_age?: unknown
}

/** An answer without pages has no member `web`. */
function pagesOf(answer: unknown): readonly FoundPage[] {
  const { type, web } = (answer ?? {}) as {
    readonly type?: unknown
    readonly web?: { readonly results?: readonly (BravePage | null)[] } | null
  }
  const results = type === 'search' && !web ? [] : web?.results
  if (!Array.isArray(results)) throw searchUnavailableError.create({ provider: title, reason: 'its answer has no results' })
  return results.map((page: BravePage | null) => ({
    ...{ url: page?.url, title: page?.title, snippet: page?.description, publishedAt: page?.page_age },
  }))
}
