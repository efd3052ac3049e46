import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, geminiRequest } from '../test-support/adapter.js'
import { chunk, lastChunk, streamOf } from '../test-support/wire.js'
import { buildRequestBody } from './build-request.js'
import { readQuirks } from './quirks.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: { zone: { type: 'string' } } } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} } }
const bodyOf = (changes: Partial<ModelRequest>): JsonObject =>
  buildRequestBody(geminiRequest('http://127.0.0.1', changes), { quirks: readQuirks({}), openApiOnly: false })
const images = (...details: readonly ImagePart['detail'][]): Partial<ModelRequest> => ({
  messages: details.map((detail) => ({
    role: 'user',
    content: [{ type: 'image', media_type: 'image/png', data: 'AAAA', ...(detail && { detail }) }],
  })),
})

describe('fields that a generate-content request declares', () => {
  it('are sent under the names of the protocol', () => {
    expect(bodyOf({ jsonObject: true })['generationConfig']).to.deep.equal({ responseMimeType: 'application/json' })
    expect(bodyOf({ logprobs: { top: 4 } })['generationConfig']).to.deep.equal({ responseLogprobs: true, logprobs: 4 })
    expect(bodyOf({ logprobs: { top: 0 } })['generationConfig']).to.deep.equal({ responseLogprobs: true })
    const strict = { tools: [{ ...tool, strict: true }] }
    const callingOf = (changes: Partial<ModelRequest>) => (bodyOf(changes)['toolConfig'] as JsonObject)['functionCallingConfig']
    expect(callingOf(strict)).to.deep.equal({ mode: 'VALIDATED' })
    expect(callingOf({ ...strict, toolChoice: 'auto' })).to.deep.equal({ mode: 'VALIDATED' })
    // Calls that are required follow the schema anyway.
    expect(callingOf({ ...strict, toolChoice: 'required' })).to.deep.equal({ mode: 'ANY' })
    expect(bodyOf(images('low', 'low'))).to.have.nested.property('generationConfig.mediaResolution', 'MEDIA_RESOLUTION_LOW')
    expect(bodyOf(images(undefined))).to.not.have.property('generationConfig')
  })

  it('are refused before the call where the protocol or the model rules them out', () => {
    expect(() => bodyOf(images('low', 'high'))).to.throw('the same detail')
    expect(() => bodyOf(images('original'))).to.throw('does not know the detail “original”')
    const older = { model: 'gemini-2.5-flash', tools: [tool] }
    expect(() => bodyOf({ ...older, jsonObject: true })).to.throw('beside tools')
    expect(() => bodyOf({ ...older, responseSchema: { ...schema, strict: true } })).to.throw('beside tools')
    expect(JSON.stringify(bodyOf({ ...older, responseSchema: schema }))).to.contain('JSON Schema')
  })

  it('are refused, and not told in a note, if the model cannot read a file that may not be left out', () => {
    const file = { type: 'file', media_type: 'application/zip', name: 'a.zip', data: 'AAAA' } as const
    const messages = [{ role: 'user', content: [file] } as const]
    expect(() => bodyOf({ messages, required: ['files'] })).to.throw('cannot read files of the type application/zip')
    expect(JSON.stringify(bodyOf({ messages }))).to.contain('a.zip')
    const text = { ...file, media_type: 'application/json; charset=utf-8' }
    expect(() => bodyOf({ messages: [{ role: 'user', content: [text] }], required: ['files'] })).to.not.throw()
  })

  it('bring log probabilities, streamed as in one piece', async () => {
    const token = (text: string) => ({ token: text, tokenId: 1, logProbability: -1 })
    const result = (...texts: readonly string[]): JsonObject => ({
      logprobsResult: {
        chosenCandidates: texts.map(token),
        topCandidates: texts.map((text) => ({ candidates: [token(text), token('x')] })),
      },
    })
    const replays: readonly Replay[] = [
      { pieces: [streamOf(chunk([{ text: 'Hel' }], result('Hel')), chunk([{ text: 'lo' }], result('lo')), lastChunk())] },
      {
        headers: { 'content-type': 'application/json' },
        pieces: [bytesOf(JSON.stringify(chunk([{ text: 'Hello' }], { ...result('Hel', 'lo'), finishReason: 'STOP' })))],
      },
    ]
    for (const [index, replay] of replays.entries()) {
      const server = await startReplayServer(() => replay)
      try {
        const request = geminiRequest(server.baseUrl, { logprobs: { top: 2 }, stream: index === 0 })
        const { finished, events } = await outcomeOf(createTestAdapter(), request)
        const expected = ['Hel', 'lo'].map((text) => ({
          ...{ token: text, logprob: -1 },
          top: [text, 'x'].map((likely) => ({ token: likely, logprob: -1 })),
        }))
        expect(finished?.logprobs).to.deep.equal([{ part: 0, tokens: expected }])
        expect(finished?.metadata ?? {}).to.not.have.property('logprobsResult')
        expect(events.flatMap((event) => (event.type === 'text.delta' ? (event.logprobs ?? []) : []))).to.deep.equal(expected)
      } finally {
        await server.close()
      }
    }
  })
})
