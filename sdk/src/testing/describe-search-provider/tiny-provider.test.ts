import { searchUnavailableError } from '../../contracts/search-provider/errors.js'
import { defineSearchProvider, type SearchProvider } from '../../contracts/search-provider/index.js'
import { askSearchEngine, type FoundPage, searchResultsOf } from '../../kits/search/index.js'
import { describeSearchProvider, type SearchEngineDialect } from './index.js'

/** The dialect of an engine that was made up for the tests of the suite. */
export const tinyDialect: SearchEngineDialect = {
  results: (pages) => ({ body: JSON.stringify({ pages }) }),
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
    async search({ text, limit }, { apiKey = '' }, options) {
      const url = tinyAddress(baseUrl, text, limit)
      const json = await askSearchEngine({ provider: 'Tiny', url, headers: { 'x-key': apiKey } }, options)
      return { results: searchResultsOf(tinyPages(json), { limit }) }
    },
  })

describeSearchProvider({ name: 'tiny', create: createTinyProvider, engine: tinyDialect })
