import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, type CallOutcome, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, geminiRequest, vendor } from './test-support/adapter.js'
import { callPart, chunk, lastChunk, quotaFailure, root, streamOf, wireError } from './test-support/wire.js'

describe('answers of the generate-content protocol', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answer = (next: Replay, changes: Partial<ModelRequest> = {}): Promise<CallOutcome> => {
    replay = next
    return outcomeOf(adapter, geminiRequest(server.baseUrl, changes))
  }
  const streamed = (...chunks: readonly JsonObject[]): Promise<CallOutcome> => answer({ pieces: [streamOf(...chunks)] })
  const whole = (body: unknown): Promise<CallOutcome> =>
    answer({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(body))] })

  it('stop for every reason of the vendor', async () => {
    const reasons = {
      STOP: 'stop',
      MAX_TOKENS: 'length',
      SAFETY: 'content_filter',
      RECITATION: 'content_filter',
      BLOCKLIST: 'content_filter',
      PROHIBITED_CONTENT: 'content_filter',
      SPII: 'content_filter',
      MODEL_ARMOR: 'content_filter',
      IMAGE_SAFETY: 'content_filter',
      LANGUAGE: 'other',
      OTHER: 'other',
      UNEXPECTED_TOOL_CALL: 'other',
      SOMETHING_NEW: 'other',
    }
    for (const [raw, reason] of Object.entries(reasons)) {
      expect((await streamed(chunk([{ text: 'Hi' }]), lastChunk(raw))).finished).to.include({ stop_reason: reason, raw_stop_reason: raw })
      // A candidate without any content.
      expect((await whole({ candidates: [{ finishReason: raw, index: 0 }], ...root })).finished).to.deep.include({
        stop_reason: reason,
        content: [],
      })
    }
  })

  it('fail as retryable if the model wrote a malformed call', async () => {
    for (const reason of ['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE']) {
      const { error, finished, text } = await streamed(
        chunk([{ text: 'Hi' }]),
        chunk([], { finishReason: reason, finishMessage: 'Malformed: print(' }),
      )
      expect(text).to.equal('Hi')
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({ failure: 'invalid_response', retryable: true, providerCode: reason.toLowerCase() })
      expect(error?.details['reason']).to.contain('print(')
    }
  })

  it('report a refused prompt', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 4 }, ...root }
    for (const { error, finished } of [await streamed(blocked), await whole(blocked)]) {
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({
        failure: 'content_filtered',
        retryable: false,
        reason: 'The vendor refused the prompt (PROHIBITED_CONTENT).',
      })
    }
    expect((await streamed({ promptFeedback: { safetyRatings: [] }, ...root }, chunk([{ text: 'Hi' }]), lastChunk())).text).to.equal('Hi')
  })

  it('keep each signature on its part, and join the texts between them', async () => {
    const parts: readonly JsonObject[] = [
      { text: 'Thin', thought: true },
      { text: 'king', thought: true },
      { text: 'He' },
      { text: 'llo' },
      { text: ' there', thoughtSignature: 'YQ==' },
      { text: '!' },
      { text: '' },
      { text: '', thoughtSignature: 'Yg==' },
    ]
    const signed = (text: string, thoughtSignature: string) => ({ type: 'text', text, opaque: { vendor, data: { thoughtSignature } } })
    const expected = [
      { type: 'reasoning', text: 'Thinking' },
      { type: 'text', text: 'Hello' },
      signed(' there', 'YQ=='),
      { type: 'text', text: '!' },
      signed('', 'Yg=='),
    ]
    const one = await streamed(...parts.map((part) => chunk([part])), lastChunk())
    const other = await streamed(chunk(parts, { finishReason: 'STOP' }))
    expect(one.finished?.content).to.deep.equal(expected)
    expect(other.finished?.content).to.deep.equal(expected)
    expect(one.text).to.equal('Hello there!')
  })

  it('give calls without an id new ids, and send the vendor’s ids back', async () => {
    const own = await streamed(chunk([callPart('a', { x: 1 }, 'YQ=='), callPart('a', {})]), lastChunk())
    expect(own.finished?.content).to.deep.equal([
      {
        type: 'tool_call',
        call_id: 'call_answer-1_0',
        provider_call_id: 'call_answer-1_0',
        name: 'a',
        arguments: { x: 1 },
        opaque: { vendor, data: { thoughtSignature: 'YQ==' } },
      },
      { type: 'tool_call', call_id: 'call_answer-1_1', provider_call_id: 'call_answer-1_1', name: 'a', arguments: {} },
    ])
    expect(own.events.map(({ type }) => type)).to.deep.equal([
      'response.started',
      'tool_call.started',
      'tool_call.delta',
      'tool_call.started',
      'response.finished',
    ])
    const given = await streamed(chunk([{ functionCall: { id: 'call_7', name: 'a', args: {} } }]), lastChunk())
    expect(given.finished?.content[0]).to.deep.include({ provider_call_id: 'call_7', opaque: { vendor, data: { id: 'call_7' } } })
  })

  it('never contain half a call: one that was cut by the limit is left out', async () => {
    const first = callPart('a', { x: 1 })
    const open = { functionCall: { name: 'b', willContinue: true } }
    const piece = { functionCall: { partialArgs: [{ jsonPath: '$.x', stringValue: 'ha', willContinue: true }], willContinue: true } }
    for (const last of [[callPart('b', {})], [open], [open, piece]]) {
      const { finished } = await streamed(chunk([first]), ...last.map((part) => chunk([part])), chunk([], { finishReason: 'MAX_TOKENS' }))
      expect(finished?.content.map((part) => part.type === 'tool_call' && part.name)).to.deep.equal(['a'])
    }
    const cut = await streamed(chunk([first]), chunk([open]), chunk([piece]))
    expect(cut.error?.details).to.include({ failure: 'truncated', retryable: true })
    expect(cut.events.some((event) => event.type === 'tool_call.delta' && event.part === 1)).to.equal(false)
  })

  it('put arguments that come in pieces into place', async () => {
    const pieces = [
      { jsonPath: '$.list[0].name', stringValue: 'A' },
      { jsonPath: '$.list[0].name', stringValue: 'da' },
      { jsonPath: "$['odd key'][1]", boolValue: true },
      { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
      { jsonPath: '$.count', numberValue: 0 },
      { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
      { jsonPath: 'nowhere', stringValue: 'x' },
      { jsonPath: '$.list[99999999]', stringValue: 'x' },
    ]
    const { finished } = await streamed(
      chunk([{ functionCall: { name: 'a', willContinue: true } }]),
      ...pieces.map((piece) => chunk([{ functionCall: { partialArgs: [piece], willContinue: true } }])),
      chunk([{ functionCall: {} }]),
      lastChunk(),
    )
    const [part] = finished?.content ?? []
    const given = part?.type === 'tool_call' ? part.arguments : {}
    expect(JSON.parse(JSON.stringify(given))).to.deep.equal(
      JSON.parse('{"list":[{"name":"Ada"}],"odd key":[null,true],"none":null,"count":0,"__proto__":{"polluted":"x"}}'),
    )
    expect(({} as JsonObject)['polluted']).to.equal(undefined)
  })

  it('contain generated images and unknown parts', async () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } }
    const { finished } = await streamed(
      chunk([code, { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'YQ==' }]),
      lastChunk(),
    )
    expect(finished?.content).to.deep.equal([
      { type: 'reasoning', text: '', opaque: { vendor, data: { part: code } } },
      { type: 'image', media_type: 'image/png', data: 'AAAA', opaque: { vendor, data: { thoughtSignature: 'YQ==' } } },
    ])
  })

  it('are the first candidate, with the last count and the metadata', async () => {
    const second = { content: { parts: [{ text: 'Other' }] }, index: 1 }
    const usage = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 3,
      serviceTier: 'standard',
    }
    const groundingMetadata = { webSearchQueries: ['ü'] }
    const { finished, text } = await streamed(
      {
        ...chunk([{ text: 'Hi' }]),
        candidates: [{ content: { parts: [{ text: 'Hi' }] }, index: 0 }, second],
        usageMetadata: { promptTokenCount: 1 },
      },
      chunk([], { finishReason: 'STOP', groundingMetadata }, { usageMetadata: usage }),
    )
    expect(text).to.equal('Hi')
    expect(finished?.usage).to.deep.equal({ input_tokens: 15, cached_input_tokens: 15, output_tokens: 7, reasoning_tokens: 3 })
    expect(finished).to.deep.include({ raw_usage: usage, metadata: { groundingMetadata, serviceTier: 'standard' } })
    expect((await streamed(chunk([{ text: 'Hi' }], { finishReason: 'STOP' }))).finished?.usage.estimated).to.equal(true)
  })

  it('that come as a list are read, and fail, like a stream', async () => {
    const chunks = [chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }]), lastChunk()]
    const listed = await whole(chunks)
    expect(listed.finished).to.deep.equal((await streamed(...chunks)).finished)
    expect((await whole([chunks[0], wireError(503, 'UNAVAILABLE', 'Overloaded')])).error?.details).to.include({
      failure: 'overloaded',
      retryable: true,
    })
    const cut = `${JSON.stringify(chunks).slice(0, -90)}`
    const { text, error: ended } = await answer({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(cut)] })
    expect(text).to.equal('Hello')
    expect(ended?.details).to.include({ failure: 'truncated', retryable: true })
    for (const body of ['{"candidates":[{"content":{"parts":[{"text":"Hel', '{}', '[]', '"Hello"']) {
      const { error } = await answer({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(body)] })
      expect(error?.details, body).to.include({ failure: 'invalid_response', retryable: true })
    }
  })

  it('with an error in their body fail', async () => {
    const day = quotaFailure('GenerateRequestsPerDayPerProjectPerModel')
    const kinds: readonly (readonly [JsonObject, JsonObject])[] = [
      [wireError(503, 'UNAVAILABLE', 'Overloaded'), { failure: 'overloaded', retryable: true, providerCode: 'unavailable' }],
      [wireError(500, 'INTERNAL', 'No'), { failure: 'overloaded', retryable: true }],
      [wireError(504, 'DEADLINE_EXCEEDED', 'No'), { failure: 'overloaded', retryable: true }],
      [wireError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'), { failure: 'rate_limited', retryable: true }],
      [wireError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [day]), { failure: 'quota_exceeded', retryable: false }],
      [wireError(403, 'PERMISSION_DENIED', 'No'), { failure: 'authentication', retryable: false }],
      [wireError(400, 'INVALID_ARGUMENT', 'No'), { failure: 'bad_request', retryable: false }],
    ]
    for (const [error, details] of kinds) {
      expect((await streamed(chunk([{ text: 'Hi' }]), error)).error?.details).to.include(details)
      expect((await whole(error)).error?.details).to.include(details)
      expect((await whole([error])).error?.details).to.include(details)
    }
  })

  it('are read under any content type, as events, lines or a list', async () => {
    const chunks = [chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }]), lastChunk()]
    for (const type of ['application/json', 'text/plain', 'text/event-stream', 'application/x-ndjson']) {
      for (const body of [
        chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join(''),
        chunks.map((each) => `${JSON.stringify(each)}\n`).join(''),
        JSON.stringify(chunks, null, 1),
      ]) {
        const { text, error } = await answer({ headers: { 'content-type': type }, pieces: [bytesOf(body)] })
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
      }
    }
  })

  it('go on after a stop in an empty chunk, or beside text', async () => {
    for (const first of [[], [{ text: 'The first, ' }]]) {
      const { text, finished } = await streamed(
        chunk(first, { finishReason: 'STOP' }),
        chunk([{ text: 'the second.' }], { finishReason: 'STOP' }),
      )
      expect(text).to.match(/the second\.$/)
      expect(finished?.content).to.deep.equal([{ type: 'text', text }])
      const cut = await answer({ pieces: [streamOf(chunk(first, { finishReason: 'STOP' }))], end: 'destroy' })
      expect(cut.error?.details['failure']).to.equal('truncated')
    }
    const unspecified = await streamed(chunk([{ text: 'Hi' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }))
    expect(unspecified.error?.details['failure']).to.equal('truncated')
  })

  it('with an error as text, or one of a gateway, keep its words and what they mean', async () => {
    for (const body of [
      '{"error":"insufficient balance"}',
      '{"message":"insufficient balance","code":1}',
      '{"detail":"insufficient balance"}',
    ]) {
      for (const [pieces, type] of [
        [[streamOf(chunk([{ text: 'Half' }])), bytesOf(`data: ${body}\n\n`)], 'text/event-stream'],
        [[bytesOf(body)], 'application/json'],
        [[bytesOf(`[${JSON.stringify(chunk([{ text: 'Half' }]))},${body}]`)], 'application/json'],
      ] as const) {
        const { error } = await answer({ headers: { 'content-type': type }, pieces })
        expect(error?.details, body).to.include({ failure: 'quota_exceeded', retryable: false })
        expect(error?.details['reason']).to.contain('insufficient balance')
      }
    }
  })

  it('with arguments as text, without arguments at first, or twice, have one call', async () => {
    const call = (args: JsonObject | string): JsonObject => ({ functionCall: { id: 'a', name: 'look', args } })
    for (const parts of [[call('{"x":1}')], [call({}), call({ x: 1 })], [call({ x: 1 }), call({ x: 1 })]]) {
      const { finished, events } = await streamed(...parts.map((part) => chunk([part])), lastChunk())
      expect(finished?.content).to.have.length(1)
      expect(finished?.content[0]).to.deep.include({ arguments: { x: 1 } })
      expect(events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : []))).to.deep.equal(['{"x":1}'])
    }
  })
})
