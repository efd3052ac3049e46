import { describeSearchProvider, type EngineReply, type EngineRequest, startSearchEngine } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTavilySearch } from './tavily-search.js'

const refusal = (error: string): string => JSON.stringify({ detail: { error } })

describeSearchProvider({
  name: 'Tavily',
  create: (baseUrl) => createTavilySearch({ baseUrl }),
  engine: {
    results: (pages) => ({
      body: JSON.stringify({
        ...{ query: 'as it was', answer: null, images: [], response_time: 0.8, request_id: 'r-1' },
        results: pages.map(({ url, title, snippet, publishedOn }) => ({
          ...{ url, title, content: snippet, score: 0.9, raw_content: null },
          ...(publishedOn !== undefined && { published_date: publishedOn }),
        })),
      }),
    }),
    read: ({ body, headers }) => ({
      text: (JSON.parse(body) as { readonly query: string }).query,
      key: String(headers['authorization']).replace('Bearer ', ''),
    }),
    paging: 'not applicable',
    freshness: ({ body }) => (JSON.parse(body) as { readonly time_range?: 'day' | 'week' | 'month' | 'year' }).time_range,
    language: 'not applicable',
    keyRefused: { status: 401, body: refusal('Unauthorized: missing or invalid API key.') },
    queryRefused: { status: 400, body: refusal('Query is too long. Max query length is 400 characters.') },
  },
})

describe('search with Tavily', () => {
  const signal = new AbortController().signal
  const connection = { apiKey: 'tvly-key' }
  let requests: readonly EngineRequest[] = []
  const ask = async (reply: EngineReply, query = {}) => {
    const engine = await startSearchEngine()
    engine.reply(() => reply)
    try {
      return await createTavilySearch({ baseUrl: engine.baseUrl }).search({ text: 'a', limit: 3, ...query }, connection, { signal })
    } finally {
      requests = engine.requests
      await engine.close()
    }
  }

  it('sends what Tavily documents', async () => {
    await ask({ body: '{"results":[]}' }, { freshness: 'week', language: 'de' })
    const [request] = requests
    expect([request?.method, request?.path, request?.headers['content-type']]).to.deep.equal(['POST', '/search', 'application/json'])
    expect(JSON.parse(request?.body ?? '')).to.deep.equal({
      ...{ query: 'a', max_results: 3, search_depth: 'basic', include_answer: false, include_raw_content: false, time_range: 'week' },
    })
  })

  it('reports a plan that is used up', async () => {
    for (const status of [432, 433]) {
      const error = await ask({ status, body: refusal('This request exceeds your plan’s set usage limit.') }).catch(
        (failure: unknown) => failure,
      )
      expect(error, String(status)).to.have.property('code', 'search_rate_limited')
    }
  })

  it('gets over results that are none', async () => {
    const { results } = await ask({ body: '{"results":[null,{},{"url":7},{"url":"https://example.org/","title":3}]}' })
    expect(results).to.deep.equal([{ url: 'https://example.org/', title: 'example.org', snippet: '' }])
  })
})
