import { bytesOf, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAccess, createTestAdapter } from '../test-support/adapter.js'

const json = { 'content-type': 'application/json' }
const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 10_000 }

describe('vectors of texts through InvokeModel', () => {
  const adapter = createTestAdapter(
    createTestAccess({ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-of-the-test', AWS_REGION: 'eu-west-1' }),
  )
  const ask = async (model: string, answer: object, changes = {}) => {
    const server = await startReplayServer(() => ({ headers: json, pieces: [bytesOf(JSON.stringify(answer))] }))
    try {
      const { apiKey: _, ...connection } = converseRequest(server.baseUrl).connection
      const request = { connection, protocol: 'amazon-bedrock-converse', model, inputs: ['a', 'b'], timeouts, ...changes }
      const result = await adapter.embed?.(request, { signal: new AbortController().signal })
      return { result, sent: server.seen.map(({ url, body, headers }) => ({ url, headers, body: JSON.parse(body) as unknown })) }
    } finally {
      await server.close()
    }
  }

  it('come one by one from the models of Amazon, signed', async () => {
    const answer = { embedding: [0.5, 1], inputTextTokenCount: 3 }
    const { result, sent } = await ask('amazon.titan-embed-text-v2:0', answer, { dimensions: 2 })
    expect(result).to.deep.equal({
      vectors: [
        [0.5, 1],
        [0.5, 1],
      ],
      model: 'amazon.titan-embed-text-v2:0',
      usage: { input_tokens: 6 },
    })
    expect(sent.map(({ body }) => body)).to.deep.equal([
      { inputText: 'a', dimensions: 2 },
      { inputText: 'b', dimensions: 2 },
    ])
    expect(sent[0]?.url).to.equal('/v1/model/amazon.titan-embed-text-v2%3A0/invoke')
    expect(sent[0]?.headers['authorization']).to.match(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-west-1\/bedrock\/aws4_request/)
  })

  it('come together from the models of Cohere, in both forms of their answer', async () => {
    const arn = 'arn:aws:bedrock:eu-west-1:1:foundation-model/cohere.embed-multilingual-v3'
    const { result, sent } = await ask(arn, { embeddings: [[1], [2]] }, { purpose: 'query' })
    expect(result?.vectors).to.deep.equal([[1], [2]])
    expect(result?.usage).to.deep.equal({ input_tokens: 2, estimated: true })
    expect(sent[0]?.body).to.deep.equal({ texts: ['a', 'b'], input_type: 'search_query', embedding_types: ['float'], truncate: 'NONE' })
    const { result: typed } = await ask('us.cohere.embed-v4:0', { embeddings: { float: [[3], [4]] } })
    expect(typed?.vectors).to.deep.equal([[3], [4]])
  })

  it('are refused for an unknown model', async () => {
    const error: unknown = await ask('anthropic.claude-test-v1:0', {}).catch((thrown: unknown) => thrown)
    expect(error).to.have.nested.property('details.failure', 'bad_request')
  })
})
