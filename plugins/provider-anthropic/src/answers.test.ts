import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, type CallOutcome, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { block, callBlock, message, messageEnd, messageStart, streamOf, textBlock, wireError } from './test-support/wire.js'

describe('answers of the messages protocol', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answer = (next: Replay, changes: Partial<ModelRequest> & { readonly quirks?: JsonObject } = {}): Promise<CallOutcome> => {
    replay = next
    return outcomeOf(adapter, messagesRequest(server.baseUrl, changes))
  }
  const streamed = (...events: readonly JsonObject[]): Replay => ({ pieces: [streamOf(...events)] })
  const whole = (content: readonly JsonObject[], reason: string, usage?: JsonObject): Replay => ({
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify(message(content, reason, usage)))],
  })
  const usage = { input_tokens: 10, output_tokens: 7 }

  it('stop for every reason of the vendor', async () => {
    const reasons = {
      end_turn: 'stop',
      stop_sequence: 'stop',
      max_tokens: 'length',
      model_context_window_exceeded: 'length',
      refusal: 'refusal',
      pause_turn: 'other',
      tool_use: 'stop',
      something_new: 'other',
    }
    for (const [raw, reason] of Object.entries(reasons)) {
      const { finished } = await answer(streamed(messageStart(), ...textBlock(0, 'Hi'), ...messageEnd(raw)))
      expect(finished).to.include({ stop_reason: reason, raw_stop_reason: raw })
    }
    const { finished } = await answer(streamed(messageStart(), ...callBlock(0, 'toolu_1', 'a', '{}'), ...messageEnd('end_turn')))
    expect(finished?.stop_reason).to.equal('tool_calls')
  })

  it('keep encrypted thinking, and unknown blocks, as opaque parts in their position', async () => {
    const redacted = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }
    const search = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ encrypted_content: 'EqgfCioIARgBIiQ3YTAw' }] }
    const serverUse = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'ü' } }
    const content = [redacted, serverUse, search, { type: 'text', text: 'Found.' }]
    const events = [
      ...block(0, redacted),
      ...block(
        1,
        { ...serverUse, input: {} },
        ...['{"query": ', '"ü"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
      ...block(2, search),
      ...textBlock(3, 'Found.'),
    ]
    const one = await answer(streamed(messageStart(usage), ...events, ...messageEnd('end_turn')))
    const other = await answer(whole(content, 'end_turn', usage), { stream: false })
    expect(one.finished).to.deep.equal(other.finished)
    const vendor = 'anthropic-messages:custom:model-1'
    expect(one.finished?.content).to.deep.equal([
      ...[redacted, serverUse, search].map((data) => ({ type: 'reasoning', text: '', opaque: { vendor, data } })),
      { type: 'text', text: 'Found.' },
    ])
  })

  it('keep a signature of hidden thinking, and add none to thinking without one', async () => {
    const signed = block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 'c2ln' })
    const { finished } = await answer(streamed(messageStart(), ...signed, ...textBlock(1, 'Hi'), ...messageEnd('end_turn')))
    expect(finished?.content[0]).to.deep.equal({
      type: 'reasoning',
      text: '',
      opaque: { vendor: 'anthropic-messages:custom:model-1', data: { type: 'thinking', signature: 'c2ln' } },
    })
    const unsigned = streamed(
      messageStart(),
      ...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Hm' }),
      ...textBlock(1, 'Hi'),
      ...messageEnd('end_turn'),
    )
    expect((await answer(unsigned)).finished?.content[0]).to.deep.equal({ type: 'reasoning', text: 'Hm' })
    expect((await answer(unsigned, { quirks: { unsigned_thinking: true } })).finished?.content[0]).to.deep.include({
      opaque: { vendor: 'anthropic-messages:custom:model-1', data: { type: 'thinking' } },
    })
  })

  it('never contain half a call: one that was cut by the limit is left out', async () => {
    const first = callBlock(0, 'toolu_1', 'a', '{"x":1}')
    for (const pieces of [['{"x":'], [], ['{}']]) {
      for (const reason of ['max_tokens', 'model_context_window_exceeded', 'refusal']) {
        const { finished } = await answer(
          streamed(messageStart(), ...first, ...callBlock(1, 'toolu_2', 'a', ...pieces), ...messageEnd(reason)),
        )
        expect(finished?.content.map((part) => part.type === 'tool_call' && part.provider_call_id)).to.deep.equal(['toolu_1'])
      }
    }
    const kept = await answer(streamed(messageStart(), ...first, ...callBlock(1, 'toolu_2', 'a'), ...messageEnd('tool_use')))
    expect(kept.finished?.content).to.have.length(2)
    const cut = await answer(whole([{ type: 'tool_use', id: 'toolu_2', name: 'a', input: {} }], 'max_tokens'), { stream: false })
    expect(cut.finished).to.deep.include({ content: [], stop_reason: 'length' })
  })

  it('keep the model’s text as the arguments of a call that are not JSON', async () => {
    const { finished } = await answer(streamed(messageStart(), ...callBlock(0, 'toolu_1', 'a', '{"x": oops}'), ...messageEnd('tool_use')))
    expect(finished?.content[0]).to.deep.include({ arguments: {}, invalid_arguments: '{"x": oops}' })
  })

  it('name the tool that was offered, whatever name went over the wire', async () => {
    const tools = [{ name: 'files.read', description: '', parameters: {} }]
    await answer(streamed(messageStart(), ...messageEnd('end_turn')), { tools })
    const sent =
      (JSON.parse(server.seen.at(-1)?.body ?? '') as { readonly tools: readonly { readonly name: string }[] }).tools[0]?.name ?? ''
    const { finished, events } = await answer(
      streamed(messageStart(), ...callBlock(0, 'toolu_1', sent, '{"x":1}'), ...messageEnd('tool_use')),
      { tools },
    )
    expect(sent).to.not.equal('files.read')
    expect(finished?.content[0]).to.include({ name: 'files.read' })
    expect(events[1]).to.include({ type: 'tool_call.started', name: 'files.read' })
  })

  it('fail when a second message begins after visible output, and continue when there was none', async () => {
    const again = messageStart({ input_tokens: 20, output_tokens: 1 })
    const quiet = await answer(streamed(messageStart(), { type: 'ping' }, again, ...textBlock(0, 'Hi'), ...messageEnd('end_turn')))
    expect(quiet.events.map(({ type }) => type)).to.deep.equal(['response.started', 'text.delta', 'response.finished'])
    expect(quiet.finished?.usage.input_tokens).to.equal(20)
    const spliced = await answer(
      streamed(messageStart(), ...textBlock(0, 'Half').slice(0, 2), again, ...textBlock(0, 'Half and half'), ...messageEnd('end_turn')),
    )
    expect(spliced.text).to.equal('Half')
    expect(spliced.error?.details).to.include({ failure: 'invalid_response', retryable: true })
  })

  it('may begin with blocks inside `message_start`', async () => {
    const start = messageStart()
    const put = {
      ...start,
      message: { ...(start['message'] as JsonObject), content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input: { x: 1 } }] },
    }
    const { finished, events } = await answer(streamed(put, ...messageEnd('tool_use')))
    expect(finished?.content[0]).to.include({ provider_call_id: 'toolu_1' })
    expect(events[2]).to.deep.equal({ type: 'tool_call.delta', part: 0, arguments_text: '{"x":1}' })
  })

  it('lose nothing of a block that arrives before the beginning of the message', async () => {
    const [opened = {}, ...rest] = textBlock(0, 'Hello')
    const { finished, text } = await answer(streamed(opened, messageStart(), ...rest, ...messageEnd('end_turn')))
    expect(text).to.equal('Hello')
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hello' }])
  })

  it('are complete only once the message has stopped with a reason', async () => {
    const [delta = {}, stop = {}] = messageEnd('end_turn')
    for (const end of [[delta], [stop], []]) {
      const { error, finished, text } = await answer(streamed(messageStart(), ...textBlock(0, 'Hi'), ...end))
      expect(text).to.equal('Hi')
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({ failure: 'truncated', retryable: true })
    }
  })

  it('ignore unknown events, deltas and members', async () => {
    const { finished } = await answer(
      streamed(
        { type: 'weather_report', index: 0 },
        messageStart(),
        { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'nowhere' } },
        ...block(0, { type: 'text', text: 'He' }, { type: 'text_delta', text: 'llo' }, { type: 'mood_delta', mood: 'fine' }),
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' after its end' } },
        ...messageEnd('end_turn', { output_tokens: 3 }, { mood: 'fine' }),
      ),
    )
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hello' }])
  })

  it('count cached tokens in, use the last count of each kind, and keep the vendor’s usage object', async () => {
    const start = {
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
      service_tier: 'priority',
    }
    const end = { input_tokens: null, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } } as unknown as JsonObject
    const { finished } = await answer(streamed(messageStart(start), ...textBlock(0, 'Hi'), ...messageEnd('end_turn', end)))
    expect(finished?.usage).to.deep.equal({
      input_tokens: 125,
      cached_input_tokens: 100,
      cache_write_input_tokens: 20,
      output_tokens: 50,
      reasoning_tokens: 30,
    })
    expect(finished?.raw_usage).to.deep.equal({ ...start, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } })
    expect(finished?.metadata).to.deep.equal({ service_tier: 'priority' })
    const uncounted = await answer(streamed(messageStart({}), ...textBlock(0, 'Hi'), ...messageEnd('end_turn', {})))
    expect(uncounted.finished?.usage.estimated).to.equal(true)
  })

  it('report citations, and why a prompt was refused', async () => {
    const citation = { type: 'char_location', cited_text: 'Noon', document_index: 0 }
    const cited = block(
      0,
      { type: 'text', text: '', citations: [] },
      { type: 'text_delta', text: 'Noon' },
      { type: 'citations_delta', citation },
    )
    const one = await answer(streamed(messageStart(usage), ...cited, ...messageEnd('end_turn')))
    const other = await answer(whole([{ type: 'text', text: 'Noon', citations: [citation] }], 'end_turn', usage), { stream: false })
    expect(one.finished).to.deep.equal(other.finished)
    expect(one.finished?.metadata).to.deep.equal({ citations: [citation] })
    const details = { type: 'refusal', category: 'cyber' }
    const refused = await answer(streamed(messageStart(), ...messageEnd('refusal', { output_tokens: 5 }, { stop_details: details })))
    expect(refused.finished).to.deep.include({ content: [], stop_reason: 'refusal', metadata: { stop_details: details } })
  })

  it('with an error in their body fail', async () => {
    const kinds = {
      overloaded_error: 'overloaded',
      api_error: 'overloaded',
      timeout_error: 'overloaded',
      rate_limit_error: 'rate_limited',
      billing_error: 'quota_exceeded',
      authentication_error: 'authentication',
      permission_error: 'authentication',
      not_found_error: 'model_not_found',
      request_too_large: 'context_overflow',
      invalid_request_error: 'bad_request',
    }
    for (const [type, failure] of Object.entries(kinds)) {
      const { error } = await answer(streamed(messageStart(), wireError(type, 'No')))
      expect(error?.details, type).to.include({ failure, reason: 'No' })
      const body = { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(wireError(type, 'No')))] }
      expect((await answer(body)).error?.details['failure'], type).to.equal(failure)
    }
    for (const body of ['{"id":"msg_1"}', '[]', '"Hello"']) {
      const { error } = await answer({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(body)] })
      expect(error?.details['failure'], body).to.equal('invalid_response')
    }
  })

  it('are read under any content type, as events, lines or in one piece', async () => {
    const events = [messageStart(), ...textBlock(0, 'Hel', 'lo'), ...messageEnd('end_turn')]
    for (const type of ['application/json', 'text/plain', 'text/event-stream', 'application/x-ndjson']) {
      for (const body of [
        events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
        events.map((event) => `${JSON.stringify(event)}\n`).join(''),
        JSON.stringify(message([{ type: 'text', text: 'Hello' }], 'end_turn'), null, 1),
      ]) {
        const { text, error } = await answer({ headers: { 'content-type': type }, pieces: [bytesOf(body)] })
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
      }
    }
  })

  it('go on after a stop reason in the middle', async () => {
    const [begin = {}, first = {}, second = {}, end = {}] = textBlock(0, 'The first, ', 'the second.')
    const [stop = {}, last = {}] = messageEnd('end_turn')
    const { finished, text } = await answer(streamed(messageStart(), begin, first, stop, second, end, stop, last))
    expect(text).to.equal('The first, the second.')
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'The first, the second.' }])
    const call = callBlock(0, 'toolu_1', 'get_time', '{"x"', ':1}')
    const cut = await answer(streamed(messageStart(), ...call.slice(0, 3), stop, ...call.slice(3), stop, last))
    expect(cut.finished?.content[0]).to.deep.include({ arguments: { x: 1 } })
  })

  it('have arguments without an empty value before them and without their repetition', async () => {
    for (const pieces of [
      ['{}', '{"x":1}'],
      ['{"x"', ':1}', '{"x":1}'],
      ['null', '{"x":1}', '{}'],
    ]) {
      const { finished, events } = await answer(
        streamed(messageStart(), ...callBlock(0, 'toolu_1', 'get_time', ...pieces), ...messageEnd('tool_use')),
      )
      expect(finished?.content[0]).to.deep.include({ arguments: { x: 1 } })
      expect(events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : [])).join('')).to.equal('{"x":1}')
    }
  })

  it('that are errors of a gateway keep its words and what they mean', async () => {
    const begun = Buffer.from(streamOf(messageStart(), ...textBlock(0, 'Half')))
    for (const body of [
      'data: {"message":"insufficient balance","code":"x"}\n\n',
      'data: {"error":"insufficient balance"}\n\n',
      'data: {"detail":"insufficient balance"}\n\n',
      'error: insufficient balance\n\n',
      '<html><body>insufficient balance</body></html>\n',
      '{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}\n',
    ]) {
      const { text, error } = await answer({ pieces: [begun, bytesOf(body)] })
      expect(text).to.equal('Half')
      expect(error?.details, body).to.include({ failure: 'quota_exceeded', retryable: false })
      expect(error?.details['reason']).to.contain('insufficient balance')
    }
  })
})
