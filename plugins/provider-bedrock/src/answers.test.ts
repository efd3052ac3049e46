import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  bytesOf,
  type CallOutcome,
  outcomeOf,
  type Replay,
  type ReplayServer,
  type SeenRequest,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { framesOf } from './test-support/encode-frame.js'

const delta = (contentBlockIndex: number, value: JsonObject) => ({ contentBlockDelta: { contentBlockIndex, delta: value } })
const close = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const startCall = (contentBlockIndex: number, name: string, toolUseId = 't1') => ({
  contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name } } },
})
const stop = (stopReason: string) => ({ messageStop: { stopReason } })
const usage = { metadata: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } } }
const stream = (...documents: readonly JsonObject[]): Replay => ({
  headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  pieces: [framesOf(documents)],
})
const whole = (content: readonly JsonObject[], stopReason = 'end_turn', more: JsonObject = {}): Replay => ({
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify({ output: { message: { role: 'assistant', content } }, stopReason, ...more }))],
})

describe('decoded answers of Bedrock', () => {
  const adapter = createTestAdapter()
  let answer: (request: SeenRequest) => Replay = () => ({ pieces: [] })
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer((request) => answer(request))
  })
  after(() => server.close())

  const outcome = (replay: Replay, changes: Partial<ModelRequest> = {}): Promise<CallOutcome> => {
    answer = () => replay
    return outcomeOf(adapter, converseRequest(server.baseUrl, changes))
  }

  it('every stop reason', async () => {
    const reasons = {
      end_turn: 'stop',
      stop_sequence: 'stop',
      tool_use: 'stop',
      max_tokens: 'length',
      model_context_window_exceeded: 'length',
      guardrail_intervened: 'content_filter',
      content_filtered: 'content_filter',
      refusal: 'refusal',
      something_new: 'other',
    }
    for (const [raw, reason] of Object.entries(reasons)) {
      for (const replay of [stream(delta(0, { text: 'Hi' }), close(0), stop(raw), usage), whole([{ text: 'Hi' }], raw)]) {
        const { finished } = await outcome(replay)
        expect([finished?.raw_stop_reason, finished?.stop_reason]).to.deep.equal([raw, reason])
      }
    }
  })

  it('an unreadable answer may be retried', async () => {
    for (const raw of ['malformed_tool_use', 'malformed_model_output']) {
      const { error, text } = await outcome(stream(delta(0, { text: 'Hi' }), stop(raw), usage))
      expect(text).to.equal('Hi')
      expect(error?.details).to.include({ failure: 'invalid_response', retryable: true, providerCode: raw })
      expect((await outcome(whole([{ text: 'Hi' }], raw))).error?.details['failure']).to.equal('invalid_response')
    }
  })

  it('an end without usage is estimated; usage before the end counts', async () => {
    const { finished } = await outcome(stream(delta(0, { text: 'Hello there' }), close(0), stop('end_turn')))
    expect(finished?.usage).to.include({ estimated: true, output_tokens: 3 })
    expect((await outcome(stream(usage, delta(0, { text: 'Hi' }), stop('end_turn')))).finished?.usage.input_tokens).to.equal(3)
  })

  it('unknown events and members are ignored', async () => {
    const { finished } = await outcome(
      stream(
        { futureEvent: { a: 1 } },
        { messageStart: { role: 'assistant', p: 'abc' } },
        delta(0, { future: { b: 2 } }),
        delta(1, { text: 'Hi' }),
        stop('end_turn'),
        usage,
      ),
    )
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hi' }])
  })

  it('interleaved pieces of parallel calls, and one without arguments', async () => {
    const { finished } = await outcome(
      stream(
        startCall(0, 'one', 'a'),
        startCall(1, 'two', 'b'),
        delta(0, { toolUse: { input: '{"x":' } }),
        delta(1, { toolUse: { input: '' } }),
        delta(0, { toolUse: { input: '1}' } }),
        close(1),
        close(0),
        stop('tool_use'),
        usage,
      ),
    )
    expect(finished?.content.map((part) => (part.type === 'tool_call' ? [part.provider_call_id, part.arguments] : part))).to.deep.equal([
      ['a', { x: 1 }],
      ['b', {}],
    ])
    expect(finished?.stop_reason).to.equal('tool_calls')
  })

  it('a limit inside of arguments, or before them, leaves no call; streamed or not', async () => {
    const cut = (...pieces: readonly string[]) =>
      stream(
        delta(0, { text: 'I look.' }),
        close(0),
        startCall(1, 'look'),
        ...pieces.map((input) => delta(1, { toolUse: { input } })),
        close(1),
        stop('max_tokens'),
        usage,
      )
    const empty = whole([{ text: 'I look.' }, { toolUse: { toolUseId: 't1', name: 'look', input: {} } }], 'max_tokens')
    for (const replay of [cut('{"x": "ha'), cut(), cut('{}'), empty]) {
      const { finished } = await outcome(replay)
      expect(finished?.content).to.deep.equal([{ type: 'text', text: 'I look.' }])
      expect(finished?.stop_reason).to.equal('length')
    }
  })

  it('a call that never ended leaves none, and reasoning that never ended does not go back', async () => {
    const reasoning = [delta(0, { reasoningContent: { text: 'Hm' } }), delta(0, { reasoningContent: { signature: 'half' } })]
    const { finished } = await outcome(
      stream(...reasoning, startCall(1, 'look'), delta(1, { toolUse: { input: '{"x":' } }), stop('end_turn'), usage),
    )
    expect(finished?.content).to.deep.equal([{ type: 'reasoning', text: 'Hm' }])
  })

  it('arguments that are not JSON are passed on unchanged', async () => {
    const { finished } = await outcome(
      stream(startCall(0, 'look'), delta(0, { toolUse: { input: '{"x": oops' } }), close(0), stop('tool_use'), usage),
    )
    expect(finished?.content[0]).to.include({ type: 'tool_call', invalid_arguments: '{"x": oops' })
  })

  it('names of tools come back as they were given', async () => {
    const name = 'files/read all'
    answer = ({ body }) => {
      const wire = /"name":"([^"]+)"/.exec(body)?.[1] ?? ''
      return stream(startCall(0, wire), close(0), stop('tool_use'), usage)
    }
    const tools = [{ name, description: 'Reads.', parameters: { type: 'object' } }]
    const { events } = await outcomeOf(adapter, converseRequest(server.baseUrl, { tools }))
    expect(events.find((event) => event.type === 'tool_call.started')?.name).to.equal(name)
  })

  it('redacted reasoning in several pieces is one', async () => {
    const piece = (text: string) => delta(0, { reasoningContent: { redactedContent: Buffer.from(text).toString('base64') } })
    const { finished } = await outcome(stream(piece('half '), piece('of it'), close(0), delta(1, { text: 'Hi' }), stop('end_turn'), usage))
    const [part] = finished?.content ?? []
    expect(part?.type === 'reasoning' && part.opaque?.data).to.deep.equal({ redactedContent: Buffer.from('half of it').toString('base64') })
  })

  const schema: JsonObject = { type: 'object', properties: { city: { type: 'string' } } }
  const responseSchema = { name: 'place', schema }

  it('an answer by a schema that came as a call is text, and the same streamed or not', async () => {
    const streamed = await outcome(
      stream(
        startCall(0, 'place'),
        delta(0, { toolUse: { input: '{"city": ' } }),
        delta(0, { toolUse: { input: '"Bonn"}' } }),
        close(0),
        stop('tool_use'),
        usage,
      ),
      { responseSchema },
    )
    const piece = await outcome(
      whole([{ toolUse: { toolUseId: 't1', name: 'place', input: { city: 'Bonn' } } }], 'tool_use', { usage: usage.metadata.usage }),
      {
        responseSchema,
        stream: false,
      },
    )
    expect(streamed.text).to.equal('{"city":"Bonn"}')
    expect(streamed.finished?.content).to.deep.equal([{ type: 'text', text: '{"city":"Bonn"}' }])
    expect(streamed.finished?.stop_reason).to.equal('stop')
    expect(piece.finished).to.deep.equal(streamed.finished)
  })

  it('what a model refuses is left out from then on: the schema, cache marks, the status of results', async () => {
    const quirks = { output_config_models: 'model', cache_point_models: 'model' }
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'tool_call', call_id: 't1', name: 'look', arguments: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool_result', call_id: 't1', name: 'look', content: [{ type: 'text', text: 'b' }], is_error: true }],
      },
    ]
    answer = ({ body }) => {
      const no = (message: string): Replay => ({
        status: 400,
        headers: { 'content-type': 'application/json' },
        pieces: [bytesOf(JSON.stringify({ message }))],
      })
      if (body.includes('"outputConfig"')) return no("This model doesn't support the outputConfig.textFormat field.")
      if (body.includes('"cachePoint"')) return no('You invoked an unsupported model or your request did not allow prompt caching.')
      return whole([{ text: 'Hi' }])
    }
    const call = (model: string, more: Partial<ModelRequest> = {}) =>
      outcomeOf(adapter, converseRequest(server.baseUrl, { model, messages, quirks, ...more }))
    const before = server.seen.length
    expect((await call('model-a', { responseSchema })).error).to.equal(undefined)
    expect(server.seen.length - before).to.equal(3)
    expect((await call('model-a', { responseSchema })).error).to.equal(undefined)
    expect(server.seen.length - before).to.equal(4)
    // Another model is asked with all of it again.
    await call('model-b')
    expect(server.seen.length - before).to.equal(6)
    answer = ({ body }) =>
      body.includes('"status"')
        ? {
            status: 400,
            headers: { 'content-type': 'application/json' },
            pieces: [bytesOf('{"message":"This model doesn\'t support the status field in toolResult"}')],
          }
        : whole([{ text: 'Hi' }])
    expect((await call('model-b')).error).to.equal(undefined)
    expect(server.seen.length - before).to.equal(8)
  })

  it('frames under another type, and events or lines of a gateway under any', async () => {
    const documents: readonly JsonObject[] = [
      { messageStart: { role: 'assistant' } },
      delta(0, { text: 'Hello' }),
      close(0),
      stop('end_turn'),
      usage,
    ]
    const bodies = [
      framesOf(documents),
      bytesOf(documents.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')),
      bytesOf(documents.map((each) => `${JSON.stringify(each)}\n`).join('')),
    ]
    for (const type of ['application/vnd.amazon.eventstream', 'application/json', 'application/octet-stream', 'text/event-stream']) {
      for (const body of bodies) {
        const { text, error, finished } = await outcome({ headers: { 'content-type': type }, pieces: [body] })
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
        expect(finished?.stop_reason).to.equal('stop')
      }
    }
    const error = JSON.stringify({ message: 'Input is too long for requested model' })
    const refused = await outcome({ headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces: [bytesOf(error)] })
    expect(refused.error?.details).to.include({ failure: 'context_overflow', reason: 'Input is too long for requested model' })
  })

  it('text after a stop in the middle, and arguments after an empty value', async () => {
    const twice = await outcome(
      stream(delta(0, { text: 'The first, ' }), stop('end_turn'), delta(0, { text: 'the second.' }), stop('end_turn'), usage),
    )
    expect(twice.text).to.equal('The first, the second.')
    const called = await outcome(
      stream(
        startCall(0, 'look'),
        ...['{}', '{"x"', ':1}', '{"x":1}'].map((input) => delta(0, { toolUse: { input } })),
        close(0),
        stop('tool_use'),
        usage,
      ),
    )
    expect(called.finished?.content[0]).to.deep.include({ arguments: { x: 1 } })
    expect(called.events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : [])).join('')).to.equal('{"x":1}')
  })
})
