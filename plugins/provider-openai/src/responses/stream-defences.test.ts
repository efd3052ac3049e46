import type { JsonObject } from '@agent-service/sdk'
import { outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import {
  added,
  callItem,
  completed,
  created,
  done,
  itemEvents,
  messageItem,
  responseEvent,
  textDelta,
  wholeResponse,
} from '../test-support/responses-wire.js'

describe('the streams of vendors of the responses protocol', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (...events: readonly JsonObject[]) => {
    replay = { pieces: events.map(responseEvent) }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
  }
  const whole = (answer: JsonObject) => {
    replay = { headers: { 'content-type': 'application/json' }, pieces: [Buffer.from(JSON.stringify(answer))] }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
  }
  const incomplete = (reason: string, output: readonly JsonObject[] = []): JsonObject => ({
    type: 'response.incomplete',
    response: wholeResponse(output, { status: 'incomplete', incomplete_details: { reason } }),
  })

  it('ids that change in every event: the position in the output counts', async () => {
    const { finished } = await outcome(
      created,
      added(0, callItem('one', 'get_time', '')),
      added(1, callItem('two', 'get_time', '')),
      { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'new-1', delta: '{"b":2}' },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'new-2', delta: '{"a":1}' },
      done(0, { ...callItem('one', 'get_time', '{"a":1}'), id: 'new-3' }),
      done(1, { ...callItem('two', 'get_time', '{"b":2}'), id: 'new-4' }),
      completed([]),
    )
    expect(finished?.content.map((part) => part.type === 'tool_call' && [part.provider_call_id, part.arguments])).to.deep.equal([
      ['one', { a: 1 }],
      ['two', { b: 2 }],
    ])
  })

  it('pieces without a position: the id counts, else the last open item', async () => {
    const item = callItem('one', 'get_time', '')
    const { finished } = await outcome(
      created,
      added(0, item),
      { type: 'response.function_call_arguments.delta', item_id: item['id'] ?? '', delta: '{"a":' },
      { type: 'response.function_call_arguments.delta', delta: '1}' },
      done(0, callItem('one', 'get_time', '{"a":1}')),
      completed([]),
    )
    expect(finished?.content[0]).to.deep.include({ arguments: { a: 1 } })
  })

  it('no item events at all: the end has the items', async () => {
    const { finished, text } = await outcome(completed([messageItem('Hello'), callItem('one', 'get_time', '{}')]))
    expect(text).to.equal('Hello')
    expect(finished?.stop_reason).to.equal('tool_calls')
    expect(finished?.content.map(({ type }) => type)).to.deep.equal(['text', 'tool_call'])
  })

  it('an item that ended only at the end of all', async () => {
    const item = messageItem('Hello, world')
    const { finished, text } = await outcome(created, added(0, item), textDelta(0, 'Hello, '), completed([item]))
    expect(text).to.equal('Hello, world')
    expect(finished?.content[0]).to.deep.include({ text: 'Hello, world' })
  })

  it('ignores unknown events, comments and a [DONE] of a gateway', async () => {
    const events = [created, { type: 'keepalive', sequence_number: 9 }, { type: 'response.web_search_call.searching', output_index: 0 }]
    const message = messageItem('Hello')
    replay = {
      pieces: [
        Buffer.from(': waiting\n\n'),
        ...[...events, ...itemEvents(0, message), completed([message])].map(responseEvent),
        Buffer.from('data: [DONE]\n\n'),
      ],
    }
    expect((await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))).finished?.stop_reason).to.equal('stop')
  })

  it('separates sections of a summary by an empty line, streamed or not', async () => {
    const summary = ['First.', 'Second.'].map((text) => ({ type: 'summary_text', text }))
    const item = { id: 'rs_1', type: 'reasoning', summary, encrypted_content: 'gAAA' }
    const streamed = await outcome(created, ...itemEvents(0, item), completed([item]))
    expect(streamed.reasoning).to.equal('First.\n\nSecond.')
    expect(streamed.finished).to.deep.equal((await whole(wholeResponse([item]))).finished)
  })

  it('what the model refused is text, and the reason of the end', async () => {
    const item = { ...messageItem(''), content: [{ type: 'refusal', refusal: 'I will not.' }] }
    const { finished, text } = await outcome(created, ...itemEvents(0, item), completed([item]))
    expect(text).to.equal('I will not.')
    expect(finished?.stop_reason).to.equal('refusal')
  })

  it('an empty answer with a normal end', async () => {
    const { finished } = await outcome(created, ...itemEvents(0, { ...messageItem(''), content: [] }), completed([]))
    expect(finished).to.deep.include({ content: [], stop_reason: 'stop', raw_stop_reason: 'completed' })
  })

  it('a limit in the arguments of a call: the call is no part', async () => {
    const cut = { ...callItem('two', 'get_time', '{"zone":"Ro'), status: 'incomplete' }
    for (const end of [
      [done(1, cut), incomplete('max_output_tokens')],
      [incomplete('max_output_tokens', [callItem('one', 'get_time', '{}'), cut])],
    ]) {
      const { finished } = await outcome(
        created,
        ...itemEvents(0, callItem('one', 'get_time', '{}')),
        added(1, { ...cut, arguments: '' }),
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"zone":"Ro' },
        ...end,
      )
      expect(finished).to.include({ stop_reason: 'length', raw_stop_reason: 'max_output_tokens' })
      expect(finished?.content.map((part) => part.type === 'tool_call' && part.provider_call_id)).to.deep.equal(['one'])
    }
  })

  it('a call that is not whole, although its arguments happen to be: it is no part', async () => {
    for (const text of ['', '{"zone":"Rome"}']) {
      const cut = { ...callItem('one', 'get_time', text), status: 'incomplete' }
      const { finished } = await outcome(created, added(0, { ...cut, arguments: '' }), done(0, cut), incomplete('max_output_tokens', [cut]))
      expect(finished).to.deep.include({ content: [], stop_reason: 'length' })
    }
  })

  it('a limit in the reasoning: it is kept without anything opaque', async () => {
    const { finished } = await outcome(
      created,
      added(0, { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'half' }),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Let me' },
      incomplete('max_output_tokens'),
    )
    expect(finished?.content).to.deep.equal([{ type: 'reasoning', text: 'Let me' }])
  })

  it('each reason of an end', async () => {
    for (const [reason, expected] of Object.entries({ max_output_tokens: 'length', content_filter: 'content_filter', made_up: 'other' })) {
      expect((await outcome(created, incomplete(reason))).finished).to.include({ stop_reason: expected, raw_stop_reason: reason })
    }
  })

  it('a call whose arguments are not JSON keeps its text', async () => {
    const { finished } = await outcome(created, ...itemEvents(0, callItem('one', 'get_time', '{"a": oops}')), completed([]))
    expect(finished?.content[0]).to.deep.include({ arguments: {}, invalid_arguments: '{"a": oops}' })
  })

  it('usage with writes to the cache and a cost; none at all is estimated', async () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 900, cache_write_tokens: 20 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 4 },
      cost_in_usd_ticks: 3_590_000,
    }
    expect((await whole(wholeResponse([messageItem('Hi')], { usage }))).finished?.usage).to.deep.equal({
      input_tokens: 100,
      cached_input_tokens: 100,
      cache_write_input_tokens: 20,
      output_tokens: 10,
      reasoning_tokens: 4,
      cost_usd: 0.000359,
    })
    expect((await whole(wholeResponse([messageItem('Hi')], { usage: null }))).finished?.usage.estimated).to.equal(true)
  })

  it('errors inside an answer, in each of their forms', async () => {
    const shapes: readonly JsonObject[] = [
      { type: 'error', code: 'server_error', message: 'Broken', param: null },
      { type: 'error', error: { type: 'server_error', code: null, message: 'Broken' } },
      { error: { type: 'server_error', message: 'Broken' } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Broken' } } },
    ]
    for (const shape of shapes) {
      const { error, finished } = await outcome(created, shape)
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({ failure: 'overloaded', retryable: true, reason: 'Broken' })
    }
  })

  const codes: Readonly<Record<string, readonly [string, boolean]>> = {
    insufficient_quota: ['quota_exceeded', false],
    credit_balance_exhausted: ['quota_exceeded', false],
    usage_limit_reached: ['quota_exceeded', false],
    context_length_exceeded: ['context_overflow', false],
    rate_limit_exceeded: ['rate_limited', true],
    invalid_prompt: ['content_filtered', false],
  }
  for (const [code, [failure, retryable]] of Object.entries(codes)) {
    it(`${code} inside an answer with status 200: ${failure}`, async () => {
      const { error } = await outcome(created, { type: 'error', error: { type: 'x', code, message: 'Told.' } })
      expect(error?.details).to.include({ failure, retryable, providerCode: code })
    })
  }

  it('invalid answers in one piece', async () => {
    const failing: readonly (readonly [JsonObject, string])[] = [
      [{ id: 'x' }, 'The answer has no output.'],
      [wholeResponse([], { status: 'in_progress' }), 'The answer has not ended: its status is “in_progress”.'],
      [wholeResponse([], { status: 'cancelled' }), 'The vendor cancelled the response.'],
      [wholeResponse([], { status: 'failed' }), 'The vendor reported a failed response without a reason.'],
    ]
    for (const [answer, reason] of failing) expect((await whole(answer)).error?.details['reason']).to.equal(reason)
  })

  it('an event that is not JSON: earlier content stays, and the call fails', async () => {
    replay = { pieces: [...itemEvents(0, messageItem('Hello')).slice(0, 2).map(responseEvent), Buffer.from('data: {"type":\n\n')] }
    const { error, text } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
    expect(text).to.equal('Hello')
    expect(error?.details).to.include({ failure: 'invalid_response', retryable: true })
  })

  it('a stream is read under any content type, as events or lines, and an answer in one piece among them', async () => {
    const events = [created, ...itemEvents(0, messageItem('Hello')), completed([messageItem('Hello')])]
    for (const type of ['application/json', 'text/plain', 'text/event-stream', 'application/x-ndjson']) {
      for (const body of [
        events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
        events.map((event) => `${JSON.stringify(event)}\n`),
      ]) {
        replay = { headers: { 'content-type': type }, pieces: body.map((text) => Buffer.from(text)) }
        const { text, error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
      }
      const pieces = [Buffer.from(`${JSON.stringify(wholeResponse([messageItem('Hello')]), null, 1)}\n`)]
      replay = { headers: { 'content-type': type }, pieces }
      const { finished } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
      expect(finished?.content).to.have.length(1)
    }
  })

  it('errors without a type keep their words and what they mean', async () => {
    for (const body of [
      'data: {"message":"insufficient balance","code":"x"}\n\n',
      'data: {"detail":"insufficient balance"}\n\ndata: [DONE]\n\n',
      'error: {"message":"insufficient balance"}\n\n',
      'data: {"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}\n\n',
      'insufficient balance\n',
      '{"code":1,"msg":"insufficient balance"}',
    ]) {
      replay = { pieces: [responseEvent(created), responseEvent(textDelta(0, 'Half')), Buffer.from(body)] }
      const { text, error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
      expect(text).to.equal('Half')
      expect(error?.details).to.include({ failure: 'quota_exceeded', retryable: false })
      expect(error?.details['reason']).to.contain('insufficient balance')
    }
  })

  it('an empty value before the arguments of a call, and empty arguments at its end, are not the arguments', async () => {
    const pieces = (...deltas: readonly JsonObject['delta'][]): readonly JsonObject[] =>
      deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta: delta ?? null }))
    for (const end of ['', '{}', '{"x":1}']) {
      const item = callItem('one', 'get_time', end)
      const { finished, events } = await outcome(
        created,
        added(0, callItem('one', 'get_time', '')),
        ...pieces('{}', '{"x"', ':1}'),
        { type: 'response.function_call_arguments.done', output_index: 0, arguments: end },
        done(0, item),
        completed([item]),
      )
      expect(finished?.content[0]).to.deep.include({ type: 'tool_call', arguments: { x: 1 } })
      expect(events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : [])).join('')).to.equal('{"x":1}')
    }
    const none = await outcome(
      created,
      added(0, callItem('one', 'get_time', '{}')),
      done(0, callItem('one', 'get_time', '{}')),
      completed([]),
    )
    expect(none.finished?.content[0]).to.deep.include({ arguments: {} })
    expect(none.events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : []))).to.deep.equal(['{}'])
  })
})
