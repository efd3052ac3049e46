import { bytesOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'

const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 10_000 }

describe('vectors of texts through batchEmbedContents', () => {
  const adapter = createTestAdapter()
  const ask = async (changes = {}, path = '') => {
    const server = await startReplayServer(({ body }) => {
      const { requests } = JSON.parse(body) as { readonly requests: readonly unknown[] }
      const answer = { embeddings: requests.map((_, index) => ({ values: [index, 1] })), usageMetadata: { promptTokenCount: 5 } }
      return { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
    })
    try {
      const { connection } = requestTo(`${server.baseUrl}${path}`, { protocol: 'google-generate-content' })
      const request = {
        connection: { ...connection, apiKey: 'key-1' },
        protocol: 'google-generate-content',
        model: 'gemini-embedding-001',
        timeouts,
      }
      const result = await adapter.embed?.({ ...request, inputs: ['a', 'b'], ...changes }, { signal: new AbortController().signal })
      return {
        result,
        sent: server.seen.map(({ url, body, headers }) => ({
          url,
          headers,
          body: JSON.parse(body) as { readonly requests: readonly unknown[] },
        })),
      }
    } finally {
      await server.close()
    }
  }

  it('are requested as the protocol defines', async () => {
    const { result, sent } = await ask({ purpose: 'query', dimensions: 2 })
    expect(result?.vectors).to.deep.equal([
      [0, 1],
      [1, 1],
    ])
    expect(result?.usage).to.deep.equal({ input_tokens: 5 })
    expect([sent[0]?.url, sent[0]?.headers['x-goog-api-key']]).to.deep.equal([
      '/v1/models/gemini-embedding-001:batchEmbedContents',
      'key-1',
    ])
    expect(sent[0]?.body.requests[1]).to.deep.equal({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text: 'b' }] },
      taskType: 'RETRIEVAL_QUERY',
      outputDimensionality: 2,
    })
  })

  it('contain their purpose in the text if the model expects it there', async () => {
    const contentsOf = async (purpose: string) =>
      (await ask({ model: 'gemini-embedding-2', inputs: ['a'], purpose })).sent.map(({ body }) => body.requests[0])
    const model = 'models/gemini-embedding-2'
    expect(await contentsOf('query')).to.deep.equal([{ model, content: { parts: [{ text: 'task: search result | query: a' }] } }])
    expect(await contentsOf('document')).to.deep.equal([{ model, content: { parts: [{ text: 'title: none | text: a' }] } }])
  })

  it('are requested a hundred at a time, and their tokens are added', async () => {
    const inputs = Array.from({ length: 250 }, (_, index) => `text ${index}`)
    const { sent, result } = await ask({ inputs })
    expect(sent.map(({ body }) => body.requests.length)).to.deep.equal([100, 100, 50])
    expect(result?.usage).to.deep.equal({ input_tokens: 15 })
  })

  it('are refused at the address of a cloud project', async () => {
    const error: unknown = await ask({}, '/v1/projects/one/locations/eu').catch((thrown: unknown) => thrown)
    expect(error).to.have.nested.property('details.failure', 'bad_request')
  })
})
