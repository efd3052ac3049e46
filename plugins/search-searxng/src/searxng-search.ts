import type { ServiceError } from '@agent-service/sdk'
import {
  defineSearchProvider,
  type SearchProvider,
  type SearchQuery,
  searchUnauthorizedError,
  searchUnavailableError,
} from '@agent-service/sdk/contracts/search-provider'
import { askSearchEngine, type FoundPage, type SearchEngineAnswer, searchResultsOf } from '@agent-service/sdk/search'

const title = 'SearXNG'

/** Searches with `GET /search?format=json` of the instance at the base address, which may have a path. */
export const createSearxngSearch = (): SearchProvider =>
  defineSearchProvider({
    id: 'selfhosted',
    title,
    selfHosted: true,
    async search(query, { baseUrl }, { signal }) {
      if (baseUrl === undefined) throw searchUnavailableError.create({ provider: title, reason: 'it has no address' })
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/search?${parametersOf(query)}`)
      const answer = await askSearchEngine({ provider: title, url, failureOf }, { signal })
      return { results: searchResultsOf(pagesOf(answer), { limit: query.limit }) }
    },
  })

function parametersOf({ text, freshness, language }: SearchQuery): URLSearchParams {
  return new URLSearchParams({
    ...{ q: text, format: 'json' },
    ...(freshness !== undefined && { time_range: freshness }),
    ...(language !== undefined && { language: searxngLanguage(language) }),
  })
}

/** SearXNG takes a language with or without a region, and refuses every other form. */
function searxngLanguage(language: string): string {
  const [name = '', ...rest] = language.split('-')
  if (!/^[a-z]{2,3}$/i.test(name)) return 'all'
  const script = rest.find((part) => part.length === 4)?.toLowerCase()
  const region = rest.find((part) => /^[a-z]{2}$/i.test(part)) ?? (script === 'hant' ? 'TW' : script === 'hans' ? 'CN' : undefined)
  return region === undefined ? name.toLowerCase() : `${name.toLowerCase()}-${region.toUpperCase()}`
}

/** An instance that does not permit the format answers 403. */
function failureOf({ status }: SearchEngineAnswer): ServiceError | undefined {
  const reason = 'it answers 403; its settings have to permit the format json (search.formats)'
  return status === 403 ? searchUnauthorizedError.create({ provider: title, reason }) : undefined
}

interface SearxngPage {
  readonly url?: unknown
  readonly title?: unknown
  readonly content?: unknown
  readonly publishedDate?: unknown
}

function pagesOf(answer: unknown): readonly FoundPage[] {
  const { results, unresponsive_engines: silent } = (answer ?? {}) as {
    readonly results?: readonly (SearxngPage | null)[]
    readonly unresponsive_engines?: unknown
  }
  if (!Array.isArray(results)) throw searchUnavailableError.create({ provider: title, reason: 'its answer has no results' })
  if (results.length === 0 && Array.isArray(silent) && silent.length > 0)
    throw searchUnavailableError.create({ provider: title, reason: `it found nothing, and ${silent.length} of its engines did not answer` })
  return results.map((page: SearxngPage | null) => ({
    ...{ url: page?.url, title: page?.title, snippet: page?.content, publishedAt: page?.publishedDate },
  }))
}
