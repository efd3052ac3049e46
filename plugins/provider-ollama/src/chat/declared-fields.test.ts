import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames } from '@agent-service/sdk/provider-kit'
import { bytesOf, outcomeOf, type Replay, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { end, json, line, ndjson, whole } from '../test-support/wire.js'
import { buildRequestBody } from './build-request.js'
import { toolNameRule } from './call.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} }, strict: true }
const bodyOf = (changes: Partial<ModelRequest>): JsonObject =>
  buildRequestBody(requestTo('http://127.0.0.1', { protocol: 'ollama', ...changes }), createToolNames(['get_time'], toolNameRule))

describe('fields that an Ollama request declares', () => {
  it('are sent under the names of the protocol', () => {
    expect(bodyOf({ jsonObject: true })).to.include({ format: 'json' })
    expect(bodyOf({ responseSchema: { ...schema, description: 'A zone.' } })['format']).to.include({ description: 'A zone.' })
    expect(bodyOf({ logprobs: { top: 3 } })).to.include({ logprobs: true, top_logprobs: 3 })
    expect(bodyOf({ logprobs: { top: 0 } }))
      .to.include({ logprobs: true })
      .and.not.have.property('top_logprobs')
  })

  it('are refused before the call beside tools, where a format prevents calls', () => {
    expect(() => bodyOf({ tools: [tool], jsonObject: true })).to.throw('beside tools')
    expect(() => bodyOf({ tools: [tool], responseSchema: schema })).to.throw('beside tools')
    expect(bodyOf({ tools: [tool], toolChoice: 'none', jsonObject: true })).to.include({ format: 'json' })
  })

  it('bring log probabilities, streamed as in one piece', async () => {
    const tokens = (...texts: readonly string[]): JsonObject => ({
      logprobs: texts.map((token) => ({ token, logprob: -1, bytes: [1], top_logprobs: [{ token: 'x', logprob: -2 }] })),
    })
    const lineOf = (content: string): Uint8Array =>
      line({ model: 'm', message: { role: 'assistant', content }, done: false, ...tokens(content) })
    const replays: readonly Replay[] = [
      { headers: ndjson, pieces: [lineOf('Hel'), lineOf('lo'), end()] },
      { headers: json, pieces: [bytesOf(JSON.stringify({ ...whole({ content: 'Hello' }), ...tokens('Hel', 'lo') }))] },
    ]
    const expected = ['Hel', 'lo'].map((token) => ({ token, logprob: -1, bytes: [1], top: [{ token: 'x', logprob: -2 }] }))
    for (const [index, replay] of replays.entries()) {
      const server = await startReplayServer(() => replay)
      try {
        const request = requestTo(server.baseUrl, { protocol: 'ollama', logprobs: { top: 1 }, stream: index === 0 })
        const { finished, events } = await outcomeOf(createTestAdapter(), request)
        expect(finished?.logprobs).to.deep.equal([{ part: 0, tokens: expected }])
        expect(events.flatMap((event) => (event.type === 'text.delta' ? (event.logprobs ?? []) : []))).to.deep.equal(expected)
      } finally {
        await server.close()
      }
    }
  })
})
