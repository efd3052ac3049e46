import { searchUnavailableError } from '../../contracts/search-provider/errors.js'
import { defineSearchProvider, type SearchProvider } from '../../contracts/search-provider/index.js'
import { askSearchEngine, type FoundPage, searchResultsOf } from '../../kits/search/index.js'
import { describeSearchProvider, type EngineRequest, type SearchEngineDialect } from './index.js'

const tinyParameter = ({ path }: EngineRequest, name: string): string | undefined =>
  new URL(path, 'http://localhost').searchParams.get(name) ?? undefined

const freshnesses = ['day', 'week', 'month', 'year'] as const

/** The dialect of an engine that was made up for the tests of the suite. */
export const tinyDialect: SearchEngineDialect = {
  results: (pages) => ({ body: JSON.stringify({ pages }) }),
  paging: {
    range: (request) => ({ offset: Number(tinyParameter(request, 'after') ?? 0), count: Math.min(8, Number(tinyParameter(request, 'n'))) }),
    results: (pages, next) => ({ body: JSON.stringify({ pages, next }) }),
  },
  freshness: (request) => freshnesses.find((each) => each === tinyParameter(request, 'new')),
  language: (request) => tinyParameter(request, 'lang'),
  read: ({ path, headers }) => ({
    text: new URL(path, 'http://localhost').searchParams.get('q') ?? '',
    ...(typeof headers['x-key'] === 'string' && { key: headers['x-key'] }),
  }),
}

/** The address of a search. */
export const tinyAddress = (baseUrl: string, text: string, limit: number): URL =>
  new URL(`/find?${new URLSearchParams({ q: text, n: String(limit) })}`, baseUrl)

/** The pages of an answer. */
export function tinyPages(json: unknown): readonly FoundPage[] {
  const { pages } = (json ?? {}) as { readonly pages?: readonly (FoundPage & { readonly publishedOn?: string })[] }
  if (!Array.isArray(pages)) throw searchUnavailableError.create({ provider: 'Tiny', reason: 'its answer has no results' })
  return pages.map((each) => ({ ...each, publishedAt: each.publishedOn }))
}

/** A provider that keeps the contract. */
export const createTinyProvider = (baseUrl: string): SearchProvider =>
  defineSearchProvider({
    id: 'tiny',
    title: 'Tiny',
    keyVariable: 'TINY_API_KEY',
    async search({ text, limit, freshness, language }, { apiKey = '' }, options) {
      const pages: FoundPage[] = []
      let after: number | undefined = 0
      for (let results = 0; after !== undefined; ) {
        const url = tinyAddress(baseUrl, text, limit)
        url.searchParams.set('after', String(after))
        if (freshness !== undefined) url.searchParams.set('new', freshness)
        if (language !== undefined) url.searchParams.set('lang', language)
        const json = await askSearchEngine({ provider: 'Tiny', url, headers: { 'x-key': apiKey } }, options)
        pages.push(...tinyPages(json))
        const count = searchResultsOf(pages, { limit }).length
        after = count === limit || count === results ? undefined : (json as { readonly next?: number }).next
        results = count
      }
      return { results: searchResultsOf(pages, { limit }) }
    },
  })

describeSearchProvider({ name: 'tiny', create: createTinyProvider, engine: tinyDialect })
