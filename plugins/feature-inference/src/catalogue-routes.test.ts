import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { readCatalogue } from './catalogue/read-catalogue.js'
import type { CatalogueRefresh } from './catalogue/refresh/catalogue-refresh.js'
import { catalogueRefreshError } from './common/errors.js'
import { createCatalogueRoutes } from './routes/catalogue-routes.js'
import { createScriptedAdapter, repositoryResources } from './test-support/fakes.js'
import { startPlugin } from './test-support/start-plugin.js'

type Items = readonly JsonObject[]

describe('/api/catalogue', () => {
  const start = async (adapters = [createScriptedAdapter([])]) => {
    const { routes } = await startPlugin({ environment: {}, adapters })
    return async (path: string, query: JsonObject = {}) => {
      const route = routes.find((candidate) => candidate.path === path)
      if (!route) throw new Error(`There is no route ${path}.`)
      const answer = await route.handle({ query } as unknown as Parameters<typeof route.handle>[0])
      if (answer.kind !== 'json') throw new Error(`The answer was ${answer.kind}.`)
      return answer.json as { readonly items: Items; readonly next_cursor: string | null }
    }
  }

  it('pages through all models, each once, by brand and id', async () => {
    const get = await start()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { readonly items: Items; readonly next_cursor: string | null } = await get('/api/catalogue/models', {
        limit: 200,
        ...(cursor !== null && { cursor }),
      })
      seen.push(...page.items.map(({ brand, id }) => `${String(brand)} ${String(id)}`))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen.length).to.be.greaterThan(700)
    expect(new Set(seen).size).to.equal(seen.length)
    expect(seen).to.include.members(['openai gpt-5', 'ollama llama3.2', 'github-copilot gpt-5-codex'])
  })

  it('searches by brand, also by its legacy spelling, and by words of id or name', async () => {
    const get = await start()
    const ids = async (query: JsonObject): Promise<readonly unknown[]> =>
      (await get('/api/catalogue/models', { limit: 200, ...query })).items.map(({ id }) => id)
    expect(await ids({ brand: 'gemini', query: 'PRO 2.5' })).to.include('gemini-2.5-pro')
    expect(await ids({ brand: 'google' })).to.deep.equal(await ids({ brand: 'gemini' }))
    expect(await ids({ brand: 'ollama' })).to.deep.equal(['llama3.2'])
    expect(await ids({ brand: 'nowhere' })).to.deep.equal([])
    expect(await ids({ query: 'sonnet no-such-word' })).to.deep.equal([])
  })

  it('returns limits, prices and abilities', async () => {
    const get = await start()
    const [model] = (await get('/api/catalogue/models', { brand: 'anthropic', query: 'claude-sonnet-4-5' })).items
    expect(model).to.deep.equal({
      brand: 'anthropic',
      id: 'claude-sonnet-4-5',
      name: 'Claude Sonnet 4.5 (latest)',
      context_window: 200_000,
      max_output_tokens: 64_000,
      price: { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 },
      input: ['image', 'pdf'],
      abilities: ['tools', 'reasoning'],
    })
  })

  it('lists the built-in brands first, then compatible ones, enabled by the active adapters', async () => {
    const get = await start()
    const list = async () => (await get('/api/catalogue/brands', { limit: 200 })).items
    const brands = await list()
    expect(brands.slice(0, 21).map(({ kind }) => kind)).to.deep.equal(Array.from({ length: 21 }, () => 'built_in'))
    expect(new Set(brands.slice(21).map(({ kind }) => kind))).to.deep.equal(new Set(['compatible']))
    const brand = (id: string) => brands.find((candidate) => candidate['id'] === id)
    expect(brand('groq')).to.deep.include({ enabled: true, adapter: 'adapter_alpha', key_variables: ['GROQ_API_KEY'] })
    expect(brand('zai')).to.deep.include({ enabled: true, protocols: ['completions'], base_url: 'https://api.z.ai/api/paas/v4' })
    expect(brand('anthropic')).to.include({ enabled: false, reason: 'No active plugin speaks anthropic-messages (adapter_beta).' })
    expect(brand('minimax')).to.include({ enabled: false, reason: 'No active plugin speaks anthropic-messages (adapter_beta).' })
    expect(brand('cerebras')).to.include({ enabled: false, reason: 'No adapter speaks its protocol (@ai-sdk/cerebras).' })
    expect(brand('databricks')).to.include({ enabled: true, requires_base_url: true })
    for (const { enabled, reason, id } of brands) expect(reason === undefined, String(id)).to.equal(enabled)
  })

  it('enables nothing without adapters', async () => {
    const get = await start([])
    const { items } = await get('/api/catalogue/brands', { limit: 200 })
    expect(items.filter(({ enabled }) => enabled === true)).to.deep.equal([])
  })

  it('lets only administrators refresh', async () => {
    const { routes } = await startPlugin({ environment: {} })
    const [refresh, ...others] = routes.filter(({ path }) => path.includes('catalogue/refresh'))
    expect(refresh).to.include({ method: 'POST', auth: 'admin' })
    expect(others).to.deep.equal([])
  })

  it('returns the catalogue in use after a refresh, or the failure', async () => {
    const catalogue = await readCatalogue(repositoryResources)
    const after = (refresh: CatalogueRefresh['refresh']) => {
      const routes = createCatalogueRoutes({
        catalogue,
        refresh: { refresh, restore: () => Promise.resolve() },
        activeProtocols: () => new Map(),
        audit: { note: async () => undefined },
      })
      const route = routes.find(({ method }) => method === 'POST')
      if (!route) throw new Error('There is no route.')
      return route.handle({} as Parameters<typeof route.handle>[0])
    }
    const result = { version: '2026-11-21T10:00:00.000Z', models: 5, brands: 1 }
    expect(await after(() => Promise.resolve(result))).to.deep.include({ kind: 'json', status: 200, json: result })
    const failed = catalogueRefreshError.create({ reason: 'no' })
    expect(await after(() => Promise.reject(failed)).catch((error: unknown) => error)).to.equal(failed)
  })
})
