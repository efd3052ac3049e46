import { expect } from 'chai'
import { searchRateLimitedError, searchUnauthorizedError, searchUnavailableError } from '../../contracts/search-provider/errors.js'
import type { SearchConnection, SearchProvider, SearchQuery, SearchResult } from '../../contracts/search-provider/index.js'
import { askSearchEngine, type FoundPage, searchResultsOf } from '../../kits/search/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeSearchProvider } from './index.js'
import { createTinyProvider, tinyAddress, tinyDialect, tinyPages } from './tiny-provider.test.js'

type Search = SearchProvider['search']
type Break = (sound: Search, baseUrl: string) => Search

/** The titles of the tests that fail for a provider with this change. */
async function failing(change: Break, more: object = {}, limits = { limitMs: 100, testLimitMs: 400 }): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  const create = (baseUrl: string): SearchProvider => {
    const sound = createTinyProvider(baseUrl)
    return { ...sound, ...more, search: change(sound.search, baseUrl) }
  }
  describeSearchProvider({ name: 'tiny', create, engine: tinyDialect, runner, limitMs: limits.limitMs })
  const results = await runner.run(limits)
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('search provider tiny › ', ''))
}

/** Changes what was found. */
const finding =
  (change: (results: readonly SearchResult[], query: SearchQuery) => readonly SearchResult[]): Break =>
  (sound) =>
  async (query, connection, options) => ({ results: change((await sound(query, connection, options)).results, query) })

/** Changes how it failed. */
const failingAs =
  (change: (error: unknown, connection: SearchConnection) => unknown): Break =>
  (sound) =>
  async (query, connection, options) => {
    try {
      return await sound(query, connection, options)
    } catch (error) {
      throw change(error, connection)
    }
  }

/** Asks the engine by itself. */
const asking =
  (ask: (query: SearchQuery, url: URL, connection: SearchConnection, signal: AbortSignal) => Promise<readonly SearchResult[]>): Break =>
  (_, baseUrl) =>
  async (query, connection, { signal }) => ({
    results: await ask(query, tinyAddress(baseUrl, query.text, query.limit), connection, signal),
  })

const provider = 'Tiny'
const unlimited = { limit: 1_000 }
const withKey = ({ apiKey = '' }: SearchConnection) => ({ 'x-key': apiKey })
const raw = async (url: URL, connection: SearchConnection, signal: AbortSignal) =>
  tinyPages(await askSearchEngine({ provider, url, headers: withKey(connection) }, { signal }))

/** Keeps something from one search to the next. */
const keeping =
  <Kept>(
    search: (
      sound: SearchProvider['search'],
      kept: { value?: Kept },
      ...call: Parameters<SearchProvider['search']>
    ) => ReturnType<SearchProvider['search']>,
  ): Break =>
  (sound) => {
    const kept: { value?: Kept } = {}
    return (...call) => search(sound, kept, ...call)
  }

const firstKey = keeping<SearchConnection>((sound, kept, query, connection, options) => {
  kept.value ??= connection
  return sound(query, kept.value, options)
})

const lastResults = keeping<Awaited<ReturnType<SearchProvider['search']>>>(async (sound, kept, ...call) => {
  try {
    kept.value = await sound(...call)
    return kept.value
  } catch (error) {
    if (kept.value && searchUnavailableError.isInstance(error)) return kept.value
    throw error
  }
})

const oneAfterAnother = keeping<Promise<unknown>>((sound, kept, ...call) => {
  const found = (kept.value ?? Promise.resolve()).then(() => sound(...call))
  kept.value = found.catch(() => undefined)
  return found
})

const once = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] =>
  items.filter((item, at) => items.findIndex((other) => keyOf(other) === keyOf(item)) === at)

const faults: readonly (readonly [string, Break, readonly RegExp[], object?])[] = [
  ['an id that is none', (sound) => sound, [/matches what the host accepts/], { id: 'Tiny!' }],
  ['the key of the first search', firstKey, [/uses the key of each search/]],
  ['the results of an earlier search for a failure', lastResults, [/searches anew after a failure/]],
  ['one search after another', oneAfterAnother, [/lets no search wait for another one/]],
  [
    'pages that are the same by their path',
    finding((results) => once(results, ({ url }) => new URL(url).pathname)),
    [/keeps addresses whole/],
  ],
  [
    'addresses without a query',
    finding((results) => results.map((each) => ({ ...each, url: each.url.replace(/\?.*/, '') }))),
    [/keeps addresses whole/],
  ],
  [
    'the newest first',
    finding((results) => [...results].sort((one, other) => (other.publishedAt ?? '').localeCompare(one.publishedAt ?? ''))),
    [/keeps the order of the engine/],
  ],
  [
    'letters of ASCII alone',
    finding((results) => results.map((each) => ({ ...each, title: each.title.replace(/[^ -~]/g, '') }))),
    [/keeps the letters of every script/],
  ],
  [
    'the present for a time that is not known',
    finding((results) => results.map((each) => ({ publishedAt: '2026-02-01', ...each }))),
    [/returns what was found/],
  ],
  [
    'times as the engine wrote them',
    asking(async ({ limit }, url, connection, signal) => {
      const pages = await raw(url, connection, signal)
      return searchResultsOf(pages, { limit }).map((result) => {
        const at = pages.find((page) => page.url === result.url)?.publishedAt
        return { ...result, ...(typeof at === 'string' && { publishedAt: at }) }
      })
    }),
    [/returns a time in the form of the contract/],
  ],
  [
    'character references that are read last',
    asking(async ({ limit }, url, connection, signal) => {
      const pages = (await raw(url, connection, signal)).map((page) => ({ ...page, title: String(page.title).replaceAll('&', '＆') }))
      return searchResultsOf(pages, { limit }).map((result) => ({
        ...result,
        title: result.title.replaceAll(/＆#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll('＆', '&'),
      }))
    }),
    [/makes no line end of a character reference/],
  ],
  ['at most ten', finding((results) => results.slice(0, 10)), [/returns as many as asked for/]],
  [
    'a text that is cut',
    (sound) => (query, connection, options) => sound({ ...query, text: query.text.slice(0, 100) }, connection, options),
    [/sends the text as it is/],
  ],
  [
    'a text that is not escaped',
    asking(async ({ text, limit }, url, connection, signal) =>
      searchResultsOf(await raw(new URL(`/find?q=${text}`, url), connection, signal), { limit }),
    ),
    [/sends the text as it is/],
  ],
  [
    'a key in the address',
    asking(async ({ limit }, url, connection, signal) => {
      url.searchParams.set('key', connection.apiKey ?? '')
      return searchResultsOf(await raw(url, connection, signal), { limit })
    }),
    [/sends the key in no address/],
  ],
  ['a key that is not sent', (sound) => (query, _, options) => sound(query, {}, options), [/sends the key in no address/]],
  [
    'pages that are asked for ever',
    (_, baseUrl) =>
      async (query, connection, { signal }) => {
        const pages: FoundPage[] = []
        let after: number | undefined = 0
        while (after !== undefined && searchResultsOf(pages, query).length < query.limit) {
          const url = tinyAddress(baseUrl, query.text, query.limit)
          url.searchParams.set('after', String(after))
          const json = await askSearchEngine({ provider, url, headers: withKey(connection) }, { signal })
          pages.push(...tinyPages(json))
          after = (json as { readonly next?: number }).next
        }
        return { results: searchResultsOf(pages, query) }
      },
    [/always promised and bring the same again/, /always promised and bring nothing/],
  ],
  [
    'the first page alone',
    asking(async ({ limit }, url, connection, signal) => searchResultsOf(await raw(url, connection, signal), { limit })),
    [/asks for further pages/, /how new the pages must be/, /tells the engine the language/],
  ],
  [
    'any freshness as a year',
    (sound) =>
      (query, ...call) =>
        sound(query.freshness === undefined ? query : { ...query, freshness: 'year' }, ...call),
    [/how new the pages must be/],
  ],
  [
    'a country in place of the language',
    (sound) =>
      (query, ...call) =>
        sound(query.language === 'en-GB' ? { ...query, language: 'GB' } : query, ...call),
    [/tells the engine the language/],
  ],
  [
    'a language that it does not know',
    (sound) => async (query, connection, options) => {
      if (query.language === 'gsw') throw searchUnavailableError.create({ provider, reason: 'it does not know the language' })
      return sound(query, connection, options)
    },
    [/takes every freshness and language/],
  ],
  [
    'an answer that is kept',
    (sound) => {
      const kept = new Map<string, ReturnType<Search>>()
      return (query, connection, options) => {
        const found = kept.get(query.text) ?? sound(query, connection, options)
        kept.set(query.text, found)
        return found
      }
    },
    [/asks anew each time/],
  ],
  ['results in another order', finding((results) => [...results].reverse()), [/in its order/]],
  ['members that nothing reads', finding((results) => results.map((result) => ({ ...result, score: 1 }))), [/as plain data/]],
  [
    'no results as a failure',
    finding((results) => {
      if (results.length === 0) throw searchUnavailableError.create({ provider, reason: 'nothing was found' })
      return results
    }),
    [/returns no results as an answer/],
  ],
  [
    'all results',
    asking(async (_, url, connection, signal) => searchResultsOf(await raw(url, connection, signal), unlimited)),
    [/returns as many as asked for/],
  ],
  [
    'results as the engine wrote them',
    asking(async ({ limit }, url, connection, signal) =>
      (await raw(url, connection, signal)).slice(0, limit).map(({ url: address, title, snippet }) => ({
        ...{ url: String(address), title: String(title), snippet: String(snippet) },
      })),
    ),
    [/no page twice/, /leaves out a result at “javascript:alert\(1\)”/, /plain text of one line/, /bounds titles/],
  ],
  [
    'addresses without their scheme checked',
    asking(async ({ limit }, url, connection, signal) =>
      (await raw(url, connection, signal))
        .filter(({ url: address }) => URL.canParse(String(address)))
        .flatMap((page) =>
          searchResultsOf([{ ...page, url: 'https://example.org/' }], { limit }).map((result) => ({ ...result, url: String(page.url) })),
        )
        .slice(0, limit),
    ),
    [/leaves out a result at “javascript:alert\(1\)”/, /leaves out a result at “file:/, /leaves out a result at “https:\/\/user:word@/],
  ],
  [
    'a plain Error',
    failingAs((error) => (searchUnavailableError.isInstance(error) ? new Error('It does not work.') : error)),
    [/the status 500 as search_unavailable/, /that is not there/],
  ],
  [
    'one error for everything',
    failingAs((error) =>
      error instanceof Error && 'code' in error ? searchUnavailableError.create({ provider, reason: 'it fails' }) : error,
    ),
    [/the status 401 as search_unauthorized/, /too many searches as search_rate_limited/, /a query that is refused/],
  ],
  [
    'the key in an error',
    failingAs((error, { apiKey }) =>
      searchUnauthorizedError.isInstance(error)
        ? searchUnauthorizedError.create({ provider, reason: 'it answers 401' }, { cause: new Error(`The key was ${apiKey}.`) })
        : error,
    ),
    [/the status 401 as search_unauthorized/],
  ],
  [
    'Retry-After that is not read',
    failingAs((error) => (searchRateLimitedError.isInstance(error) ? searchRateLimitedError.create({ provider }) : error)),
    [/says when to try again/],
  ],
  [
    'the text of the engine in an error',
    (_, baseUrl) =>
      async ({ text, limit }, connection, { signal }) => {
        const response = await fetch(tinyAddress(baseUrl, text, limit), { headers: withKey(connection), signal })
        const body = await response.text()
        if (response.status !== 200) throw searchUnavailableError.create({ provider, reason: body })
        return { results: searchResultsOf(tinyPages(JSON.parse(body)), { limit }) }
      },
    [/does not hand on what the engine wrote/, /takes the key to no other server/, /JSON that is cut/, /an answer without an end/],
  ],
  [
    'anything as no results',
    (sound) => async (query, connection, options) =>
      sound(query, connection, options).catch((error: unknown) => {
        if (searchUnavailableError.isInstance(error)) return { results: [] }
        throw error
      }),
    [/JSON without results as search_unavailable/, /null as search_unavailable/, /a connection that breaks/],
  ],
  [
    'a search that does not end',
    (sound) => (query, connection) => sound(query, connection, { signal: new AbortController().signal }),
    [/aborted before the headers/, /aborted within the answer/, /asks nothing once it is aborted/],
  ],
  [
    'an abort as a failure',
    failingAs((error) => ('code' in (error as object) ? error : searchUnavailableError.create({ provider, reason: 'it was stopped' }))),
    [/aborted before the headers, with the reason/],
  ],
]

describe('describeSearchProvider', () => {
  it('passes a provider that keeps the contract', async () => {
    expect(await failing((sound) => sound, {}, { limitMs: 10_000, testLimitMs: 20_000 })).to.deep.equal([])
  })
  for (const [what, change, titles, more] of faults) {
    it(`catches ${what}`, async () => {
      const failed = await failing(change, more)
      for (const title of titles) expect(failed.join('\n')).to.match(title)
    })
  }
})
