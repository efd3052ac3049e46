import type { EmbeddingRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'

const signal = new AbortController().signal
const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 10_000 }

/** Asks for the vectors of some texts; answers with them, and what was sent where. */
async function ask(changes: Partial<EmbeddingRequest> = {}, quirks = {}, brand = 'custom', path = '') {
  const server = await startReplayServer(({ body }) => {
    const { input } = JSON.parse(body) as { readonly input: readonly string[] }
    // As 32-bit floats in base64, which some endpoints always give.
    const embedding = Buffer.from(Float32Array.of(0.5, -2, 0.25).buffer).toString('base64')
    const data = input.map((_, index) => ({ index, embedding }))
    return {
      headers: { 'content-type': 'application/json' },
      pieces: [bytesOf(JSON.stringify({ data, usage: { prompt_tokens: input.length } }))],
    }
  })
  try {
    const { connection } = requestTo(`${server.baseUrl}${path}`, { protocol: 'completions' })
    const request = {
      connection: { ...connection, brand, quirks, apiKey: 'key-1' },
      protocol: 'completions',
      model: 'text-embedding-3-small',
      timeouts,
    }
    const { embed } = adapter
    if (!embed) throw new Error('The adapter has no embed.')
    const result = await embed({ inputs: ['a', 'b'], ...request, ...changes }, { signal })
    const sent = server.seen.map(({ url, body, headers }) => ({
      url,
      headers,
      body: JSON.parse(body) as { readonly input: readonly string[] },
    }))
    return { result, sent }
  } finally {
    await server.close()
  }
}

const adapter = createTestAdapter()

describe('vectors of texts through /embeddings', () => {
  it('are requested as the protocol defines, and read from base64 too', async () => {
    const { result, sent } = await ask({ dimensions: 3 })
    expect(result).to.deep.equal({
      vectors: [
        [0.5, -2, 0.25],
        [0.5, -2, 0.25],
      ],
      model: 'text-embedding-3-small',
      usage: { input_tokens: 2 },
    })
    expect(sent[0]?.url).to.equal('/v1/embeddings')
    expect(sent[0]?.body).to.deep.equal({ model: 'text-embedding-3-small', input: ['a', 'b'], dimensions: 3 })
    expect(sent[0]?.headers['authorization']).to.equal('Bearer key-1')
  })

  it('go to the address of a deployment at Azure', async () => {
    const { sent } = await ask({}, { service: 'azure', auth: 'api-key', query: { 'api-version': '2024-10-21' } })
    expect(sent[0]?.url).to.equal('/v1/openai/deployments/text-embedding-3-small/embeddings?api-version=2024-10-21')
    expect(sent[0]?.headers['api-key']).to.equal('key-1')
    const { sent: newer } = await ask({}, { service: 'azure' }, 'azure', '/openai/v1')
    expect(newer[0]?.url).to.equal('/v1/openai/v1/embeddings')
  })

  it('are requested in as many calls as the brand needs', async () => {
    const inputs = Array.from({ length: 70 }, (_, index) => `text ${index}`)
    expect((await ask({ inputs })).sent.map(({ body }) => body.input.length)).to.deep.equal([32, 32, 6])
    expect((await ask({ inputs }, {}, 'openai')).sent.map(({ body }) => body.input.length)).to.deep.equal([70])
    const long = ['x'.repeat(200_000), 'y'.repeat(150_000), 'z']
    const { sent, result } = await ask({ inputs: long }, {}, 'openai')
    expect(sent.map(({ body }) => body.input.length)).to.deep.equal([1, 2])
    expect([result.vectors.length, result.usage.input_tokens]).to.deep.equal([3, 3])
  })

  it('are refused for a brand with other addresses, and for a signed-in account', async () => {
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        (error: Error) => error.message,
      )
    expect(await failure(ask({}, { path: '/v1/generate' }))).to.contain('bad_request')
    const { connection } = requestTo('http://127.0.0.1:9', { protocol: 'responses' })
    expect(await failure(ask({ connection: { ...connection, accountId: 'person' }, protocol: 'responses' }))).to.contain(
      'signed-in account',
    )
  })
})
