import { describeSearchProvider, type EngineReply, type EngineRequest, startSearchEngine } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createSearxngSearch } from './searxng-search.js'

const parametersOf = (request: EngineRequest | undefined): URLSearchParams => new URL(request?.path ?? '/', 'http://localhost').searchParams

const freshnesses = ['day', 'week', 'month', 'year'] as const

describeSearchProvider({
  name: 'SearXNG',
  create: () => createSearxngSearch(),
  engine: {
    results: (pages) => ({
      body: JSON.stringify({
        query: 'as it was',
        results: pages.map(({ url, title, snippet, publishedOn }) => ({
          ...{ url, title, content: snippet, engine: 'duckduckgo', engines: ['duckduckgo'], positions: [1], score: 1, category: 'general' },
          publishedDate: publishedOn === undefined ? null : `${publishedOn}T10:00:00`,
        })),
        ...{ answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] },
      }),
    }),
    read: (request) => ({ text: parametersOf(request).get('q') ?? '' }),
    paging: 'not applicable',
    freshness: (request) => freshnesses.find((each) => each === parametersOf(request).get('time_range')),
    language: (request) => parametersOf(request).get('language') ?? undefined,
    keyRefused: { status: 403, headers: { 'content-type': 'text/html' }, body: '<title>403 Forbidden</title>' },
    queryRefused: { status: 400, body: '{"error":"Invalid value"}' },
  },
})

describe('search with SearXNG', () => {
  const signal = new AbortController().signal
  let requests: readonly EngineRequest[] = []
  const ask = async (reply: EngineReply, query = {}, path = '') => {
    const engine = await startSearchEngine()
    engine.reply(() => reply)
    try {
      return await createSearxngSearch().search({ text: 'a', limit: 3, ...query }, { baseUrl: `${engine.baseUrl}${path}` }, { signal })
    } finally {
      requests = engine.requests
      await engine.close()
    }
  }

  it('sends what SearXNG documents, also below a path', async () => {
    await ask({ body: '{"results":[]}' }, { freshness: 'year', language: 'de' }, '/searx')
    const [request] = requests
    expect([request?.method, request?.path.split('?')[0]]).to.deep.equal(['GET', '/searx/search'])
    expect(Object.fromEntries(parametersOf(request))).to.deep.equal({ q: 'a', format: 'json', time_range: 'year', language: 'de' })
  })

  it('sends languages in the one form that SearXNG takes', async () => {
    const languages = { 'en-gb': 'en-GB', 'zh-Hant': 'zh-TW', 'zh-Hans-SG': 'zh-SG', 'sr-Latn': 'sr', gsw: 'gsw', 'x-klingon': 'all' }
    for (const [language, sent] of Object.entries(languages)) {
      await ask({ body: '{"results":[]}' }, { language })
      expect(parametersOf(requests[0]).get('language'), language).to.equal(sent)
    }
  })

  it('says that the format json has to be permitted', async () => {
    const error = await ask({ status: 403 }).catch((failure: unknown) => failure)
    expect(error).to.have.property('message').that.contains('search.formats')
  })

  it('tells engines that did not answer from nothing found', async () => {
    const silent = {
      results: [],
      unresponsive_engines: [
        ['google', 'timeout'],
        ['bing', 'access denied'],
      ],
    }
    const error = await ask({ body: JSON.stringify(silent) }).catch((failure: unknown) => failure)
    expect(error).to.have.property('code', 'search_unavailable')
    const some = { ...silent, results: [{ url: 'https://example.org/', title: 'A', content: 'B' }] }
    expect((await ask({ body: JSON.stringify(some) })).results).to.have.length(1)
  })

  it('needs an address', async () => {
    const error = await createSearxngSearch()
      .search({ text: 'a', limit: 1 }, {}, { signal })
      .catch((failure: unknown) => failure)
    expect(error).to.have.property('code', 'search_unavailable')
  })
})
