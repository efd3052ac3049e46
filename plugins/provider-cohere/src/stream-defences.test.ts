import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  type CallOutcome,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import {
  callDelta,
  callEnd,
  callStart,
  contentDelta,
  contentStart,
  event,
  messageEnd,
  messageStart,
  planDelta,
} from './test-support/wire.js'

describe('the streams of Cohere', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (events: readonly JsonObject[], rest: Partial<Replay> = {}): Promise<CallOutcome> => {
    replay = { pieces: events.map(event), ...rest }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'cohere-chat' }))
  }
  const whole = (answer: unknown): Promise<CallOutcome> => {
    replay = { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'cohere-chat', stream: false }))
  }
  const stopReasons: readonly (readonly [string, string])[] = [
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['TOOL_CALL', 'stop'],
    ['ERROR_TOXIC', 'content_filter'],
    ['SOMETHING_NEW', 'other'],
  ]
  for (const [raw, reason] of stopReasons) {
    it(`${raw} without a call is ${reason}`, async () => {
      const { finished } = await outcome([messageStart, messageEnd(raw)])
      expect(finished).to.include({ stop_reason: reason, raw_stop_reason: raw })
      expect(finished?.content).to.deep.equal([])
    })
  }

  for (const [raw, failure, retryable] of [
    ['ERROR', 'overloaded', true],
    ['TIMEOUT', 'overloaded', true],
    ['ERROR_LIMIT', 'context_overflow', false],
  ] as const) {
    it(`${raw} is the failure ${failure}, streamed or not`, async () => {
      for (const { finished, error } of [
        await outcome([messageStart, messageEnd(raw)]),
        await whole({ id: 'x', message: { role: 'assistant', content: [] }, finish_reason: raw }),
      ]) {
        expect(finished).to.equal(undefined)
        expect(error?.details).to.include({ failure, retryable })
      }
    })
  }

  it('a plan is reasoning before the calls, and a call without its end has no part', async () => {
    const begin = [messageStart, planDelta('I will '), planDelta('look.'), callStart(0, 'c1', 'look'), callDelta(0, '{"a":')]
    const good = await outcome([...begin, callDelta(0, '1}'), callEnd(0), messageEnd('TOOL_CALL')])
    expect(good.finished?.content).to.deep.equal([
      { type: 'reasoning', text: 'I will look.', opaque: { vendor: 'cohere-chat:custom:model-1', data: { tool_plan: 'I will look.' } } },
      { type: 'tool_call', call_id: 'c1', provider_call_id: 'c1', name: 'look', arguments: { a: 1 } },
    ])
    const cut = await outcome([...begin, messageEnd('MAX_TOKENS')])
    expect(cut.finished?.content.map((part) => part.type)).to.deep.equal(['reasoning'])
    expect(cut.finished?.stop_reason).to.equal('length')
  })

  it('arguments that are null, absent or an object; text that is not JSON is passed on unchanged', async () => {
    const { finished } = await outcome([
      messageStart,
      ...[callStart(0, 'a', 'one'), callDelta(0, 'null'), callEnd(0)],
      ...[callStart(1, 'b', 'two'), callEnd(1)],
      ...[callStart(2, 'c', 'three'), callDelta(2, '{"x": oops'), callEnd(2)],
      messageEnd('TOOL_CALL'),
    ])
    const calls = (finished?.content ?? []).filter((part) => part.type === 'tool_call')
    expect(calls.map((call) => call.arguments)).to.deep.equal([{}, {}, {}])
    expect(calls[2]?.invalid_arguments).to.equal('{"x": oops')
    const inOne = await whole({
      message: { tool_calls: [{ id: 'a', function: { name: 'one', arguments: { x: 1 } } }] },
      finish_reason: 'TOOL_CALL',
    })
    expect(inOne.finished?.content[0]).to.deep.include({ arguments: { x: 1 } })
  })

  it('interleaved fragments, unknown events and members, and pieces of calls that never began', async () => {
    const { finished } = await outcome([
      messageStart,
      { type: 'debug', prompt: 'x' },
      callDelta(7, '{"lost":1}'),
      callStart(0, 'a', 'one'),
      callStart(1, 'b', 'two'),
      callDelta(1, '{"k":'),
      callDelta(0, '{"k":1}'),
      { ...callDelta(1, '2}'), extra: true },
      messageEnd('TOOL_CALL'),
    ])
    expect((finished?.content ?? []).map((part) => part.type === 'tool_call' && part.arguments)).to.deep.equal([{ k: 1 }, { k: 2 }])
  })

  it('calls without ids get ids that are stable for the same answer', async () => {
    const { id: _, ...start } = (callStart(0, 'a', 'one')['delta'] as { message: { tool_calls: JsonObject } }).message.tool_calls
    const events = [messageStart, { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: start } } }, messageEnd('TOOL_CALL')]
    const ids = [await outcome(events), await outcome(events)].map(({ finished }) => finished?.content[0])
    expect(ids[0]).to.include({ provider_call_id: 'call_answer-1_0' })
    expect(ids[1]).to.deep.equal(ids[0])
  })

  it('several texts stay separate parts', async () => {
    const { finished, events } = await outcome([
      messageStart,
      contentStart(0, { type: 'text', text: 'One' }),
      contentStart(1, { type: 'thinking', thinking: '' }),
      contentDelta(2, { text: 'Two' }),
      messageEnd('COMPLETE'),
    ])
    expect(finished?.content).to.deep.equal([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ])
    expect(events.flatMap((each) => (each.type === 'text.delta' ? [each.part] : []))).to.deep.equal([0, 1])
  })

  it('missing counts are estimated, billed ones are the fallback, wrong ones are clamped', async () => {
    const usageFor = async (usage: JsonObject | undefined) =>
      (await outcome([messageStart, contentDelta(0, { text: 'Hello there' }), messageEnd('COMPLETE', usage ? { usage } : {})])).finished
        ?.usage
    expect(await usageFor(undefined)).to.include({ estimated: true, output_tokens: 3 })
    expect(await usageFor({ billed_units: { input_tokens: 2, output_tokens: 1 } })).to.deep.equal({
      ...{ input_tokens: 2, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    })
    expect(await usageFor({ tokens: { input_tokens: 4.0, output_tokens: 2, reasoning_tokens: 9 }, cached_tokens: 100 })).to.deep.equal({
      ...{ input_tokens: 4, cached_input_tokens: 4, output_tokens: 2, reasoning_tokens: 2 },
    })
  })

  const refusals: readonly (readonly [number, string, string, boolean])[] = [
    [401, 'invalid api token', 'authentication', false],
    [498, 'invalid token', 'authentication', false],
    [402, 'pay first', 'quota_exceeded', false],
    [404, "model 'x' not found, make sure the correct model ID was used", 'model_not_found', false],
    [422, 'invalid role', 'bad_request', false],
    [429, 'You are using a Trial key, which is limited to 1000 API calls / month.', 'quota_exceeded', false],
    [429, 'You are using a Trial key, which is limited to 10 API calls / minute.', 'rate_limited', true],
    [499, 'request cancelled', 'overloaded', true],
    [504, 'gateway timeout', 'overloaded', true],
    [400, 'too many tokens: size limit exceeded by 5 tokens.', 'context_overflow', false],
  ]
  for (const [status, message, failure, retryable] of refusals) {
    it(`${status} “${message}” is ${failure}`, async () => {
      replay = { status, headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify({ id: 'x', message }))] }
      const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'cohere-chat' }))
      expect(error?.details).to.include({ failure, retryable, httpStatus: status })
    })
  }

  it('are read under any content type, as events or lines', async () => {
    const events = [messageStart, contentStart(0, { type: 'text', text: '' }), contentDelta(0, { text: 'Hello' }), messageEnd('COMPLETE')]
    for (const type of ['application/json', 'text/plain', 'application/x-ndjson', 'text/event-stream']) {
      for (const pieces of [events.map(event), events.map((each) => bytesOf(`${JSON.stringify(each)}\n`))]) {
        const { text, error } = await outcome([], { headers: { 'content-type': type }, pieces })
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
      }
    }
  })

  it('go on after an end in the middle', async () => {
    const { text, finished } = await outcome([
      messageStart,
      messageEnd('COMPLETE'),
      contentStart(0, { type: 'text', text: 'The first, ' }),
      messageEnd('COMPLETE'),
      contentDelta(0, { text: 'the second.' }),
      messageEnd('COMPLETE'),
    ])
    expect(text).to.equal('The first, the second.')
    expect(finished?.stop_reason).to.equal('stop')
  })

  it('have calls whose arguments come after an empty value, twice, or all under index 0', async () => {
    const { finished, events } = await outcome([
      messageStart,
      callStart(0, 'a', 'look'),
      callDelta(0, '{}'),
      callDelta(0, '{"x":1}'),
      callDelta(0, '{"x":1}'),
      callEnd(0),
      callStart(0, 'b', 'find'),
      callDelta(0, '{"y":2}'),
      callEnd(0),
      messageEnd('TOOL_CALL'),
    ])
    expect(finished?.content.map((part) => part.type === 'tool_call' && part.arguments)).to.deep.equal([{ x: 1 }, { y: 2 }])
    expect(events.flatMap((each) => (each.type === 'tool_call.delta' ? [each.arguments_text] : []))).to.deep.equal(['{"x":1}', '{"y":2}'])
  })

  it('that are errors of a gateway keep its words and what they mean', async () => {
    const begun = [messageStart, contentStart(0, { type: 'text', text: 'Half' })].map(event)
    for (const body of [
      'data: {"detail":"insufficient balance"}\n\n',
      'error: insufficient balance\n\n',
      'insufficient balance\n',
      'data: {"error":{"message":"insufficient balance"}}\n\n',
    ]) {
      const { text, error } = await outcome([], { pieces: [...begun, bytesOf(body)] })
      expect(text).to.equal('Half')
      expect(error?.details, body).to.include({ failure: 'quota_exceeded', retryable: false })
    }
  })
})
