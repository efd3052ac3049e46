import assert from 'node:assert/strict'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createTestContext, describeSearchProvider, type EngineRequest, startSearchEngine } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createMarginaliaSearch } from './marginalia-search.js'

const parametersOf = ({ path }: EngineRequest): URLSearchParams => new URL(path, 'http://localhost').searchParams

// Every rule of the contract, against an engine on this machine that speaks as Marginalia does, and misbehaves.
describeSearchProvider({
  name: 'Marginalia',
  create: (baseUrl) => createMarginaliaSearch({ baseUrl }),
  engine: {
    results: (pages) => ({
      body: JSON.stringify({
        license: 'CC-BY-NC-SA 4.0',
        query: 'as it was',
        results: pages.map(({ url, title, snippet }) => ({ url, title, description: snippet, quality: 3.5 })),
      }),
    }),
    read: (request) => ({ text: parametersOf(request).get('query') ?? '', key: String(request.headers['api-key']) }),
    // It is asked once, and knows neither.
    ...({ paging: 'not applicable', freshness: 'not applicable', language: 'not applicable' } as const),
    malformed: { body: '{"license":"CC-BY-NC-SA 4.0","results":{}}' },
  },
})

describe('search with Marginalia', () => {
  it('asks as the settings say', async () => {
    const engine = await startSearchEngine()
    engine.reply(() => ({ body: '{"results":[]}' }))
    const { signal } = new AbortController()
    try {
      for (const options of [{}, { maxPerSite: 2, filter: 'recipes' }])
        await createMarginaliaSearch({ ...options, baseUrl: engine.baseUrl }).search({ text: 'rye', limit: 5 }, { apiKey: 'k' }, { signal })
    } finally {
      await engine.close()
    }
    const [plain, filtered] = engine.requests.map((request) => Object.fromEntries(parametersOf(request)))
    assert.deepEqual(plain, { query: 'rye', count: '5' })
    assert.deepEqual(filtered, { query: 'rye', count: '5', dc: '2', filter: 'recipes' })
  })

  it('is set up, and refuses settings that the engine would', async () => {
    const test = createTestContext(plugin, { config: { max_per_site: 2 } })
    await test.setup()
    assert.deepEqual(
      test.contributed(searchProviders).map(({ id }) => id),
      ['marginalia'],
    )
    await test.dispose()
    assert.throws(() => createTestContext(plugin, { config: { max_per_site: 0 } }), /\/max_per_site must be at least 1/)
  })
})
