import { expect } from 'chai'
import { startPlugin } from './test-support/start-plugin.js'

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
})
