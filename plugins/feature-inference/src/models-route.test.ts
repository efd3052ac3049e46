import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { startPlugin, workConnection } from './test-support/start-plugin.js'

describe('GET /api/models', () => {
  const names = ['primary', 'small', 'large']
  const retry = { max_retries: 0, initial_backoff_ms: 1, backoff_multiplier: 1, max_backoff_ms: 1 }
  const models = Object.fromEntries(names.map((name) => [name, { provider: 'openai', model: name, extra_params: {}, retry }]))

  const start = async () => {
    const { route } = await startPlugin({ environment: { OPENAI_API_KEY: 'key-of-openai' }, models })
    return async (query: { readonly limit?: number; readonly cursor?: string }) => {
      const answer = await route.handle({ query } as Parameters<typeof route.handle>[0])
      if (answer.kind !== 'json') throw new Error(`The answer was ${answer.kind}.`)
      return answer.json as { readonly items: readonly { readonly name: string }[]; readonly next_cursor: string | null }
    }
  }

  it('returns every group once, page by page, in the order of the configuration', async () => {
    const list = await start()
    const first = await list({ limit: 2 })
    expect(first.items.map(({ name }) => name)).to.deep.equal(['primary', 'small'])
    const second = await list({ limit: 2, cursor: String(first.next_cursor) })
    expect(second.items.map(({ name }) => name)).to.deep.equal(['large'])
    expect(second.next_cursor).to.equal(null)
    expect((await list({})).items).to.have.length(3)
  })

  it('refuses a cursor that it did not issue', async () => {
    const list = await start()
    expect(await list({ cursor: 'nonsense' }).catch((error: unknown) => error)).to.include({ code: 'cursor_invalid', status: 422 })
  })

  it('names models as people know them, with what they take, can do and cost', async () => {
    const brands = { openai: { provider: 'openai' }, ollama: { provider: 'ollama' }, house: { ...workConnection } }
    const fallbacks = [{ provider: 'openai', model: 'gpt-4.1-mini', extra_params: {} }]
    const group = (provider: string, model: string, more: JsonObject = {}): JsonObject => ({
      provider,
      model,
      extra_params: {},
      retry,
      ...more,
    })
    const { route } = await startPlugin({
      environment: { OPENAI_API_KEY: 'k', WORK_KEY: 'w' },
      providers: {
        openai: { ...brands.openai, api_key: '${OPENAI_API_KEY}', enabled: true },
        ollama: { ...brands.ollama, enabled: true },
        house: brands.house,
      },
      models: {
        primary: group('openai', 'gpt-4.1', { fallbacks }),
        own_price: group('openai', 'gpt-4.1', { price: { input: 1, output: 3 } }),
        local: group('ollama', 'llama3.2'),
        elsewhere: group('house', 'gpt-4.1-nano'),
        unknown: group('house', 'house-large', { price: { input: 0, output: 0 } }),
      },
    })
    const answer = await route.handle({ query: {} } as Parameters<typeof route.handle>[0])
    if (answer.kind !== 'json') throw new Error(`The answer was ${answer.kind}.`)
    const { items } = answer.json as { readonly items: readonly Readonly<Record<string, unknown>>[] }
    const [primary, ownPrice, local, elsewhere, unknown] = items
    expect(primary).to.include({ name: 'primary', title: 'GPT-4.1', brand: 'openai', brand_name: 'OpenAI', max_output_tokens: 32_768 })
    expect(primary).to.deep.include({
      ...{ input: ['image', 'pdf'], abilities: ['tools', 'structured_output'], fallbacks: ['GPT-4.1 mini'] },
      price: { input: 2, output: 8, cached_input: 0.5 },
    })
    expect(ownPrice).to.deep.include({ price: { input: 1, output: 3, cached_input: 1 }, fallbacks: [] })
    expect(local).to.include({ title: 'Llama 3.2', brand_name: 'Ollama', local: true })
    // The name is the one of the same id elsewhere; abilities and prices are of the brand alone.
    expect(elsewhere)
      .to.include({ title: 'GPT-4.1 nano', brand_name: 'house' })
      .and.not.have.any.keys('price', 'input', 'abilities', 'local')
    expect(unknown)
      .to.deep.include({ title: 'house-large', price: { input: 0, output: 0, cached_input: 0 } })
      .and.not.have.any.keys('input', 'local')
  })
})
