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
import { counters, end, json, ndjson, piece, whole } from './test-support/wire.js'

describe('the streams of Ollama', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (pieces: readonly Uint8Array[], changes: Parameters<typeof requestTo>[1] = {}): Promise<CallOutcome> => {
    replay = { headers: ndjson, pieces }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama', ...changes }))
  }

  for (const [raw, reason] of [
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'other'],
    ['unload', 'other'],
  ] as const) {
    it(`an answer that ends with ${raw} has the reason ${reason}`, async () => {
      const { finished } = await outcome([piece({ content: 'Hi' }), end(raw)])
      expect(finished).to.include({ stop_reason: reason, raw_stop_reason: raw })
    })
  }

  it('a stop after calls is tool_calls, a limit stays one', async () => {
    const call = piece({ content: '', tool_calls: [{ function: { name: 'look', arguments: { x: 1 } } }] })
    expect((await outcome([call, end('stop')])).finished?.stop_reason).to.equal('tool_calls')
    expect((await outcome([call, end('length')])).finished?.stop_reason).to.equal('length')
  })

  it('an empty answer with a normal stop has no parts', async () => {
    expect((await outcome([end()])).finished?.content).to.deep.equal([])
  })

  it('the last line needs no end, empty lines and unknown members are ignored', async () => {
    const last = end()
    const { finished } = await outcome([bytesOf('\r\n\n'), piece({ content: 'Hi', mood: 'fine' }), last.subarray(0, -1)])
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hi' }])
  })

  it('thinking and text in one line keep their order; each is one part', async () => {
    const { finished, events } = await outcome([
      piece({ content: '', thinking: 'Hm' }),
      piece({ content: 'Yes', thinking: 'm' }),
      piece({ content: '.' }),
      end(),
    ])
    expect(finished?.content).to.deep.equal([
      { type: 'reasoning', text: 'Hmm', opaque: { vendor: 'ollama:custom:model-1', data: { thinking: 'Hmm' } } },
      { type: 'text', text: 'Yes.' },
    ])
    expect(events.flatMap((each) => ('part' in each ? [each.part] : []))).to.include.members([0, 1])
  })

  it('text arguments are parsed as JSON; other text is passed on unchanged', async () => {
    const calls = ['{"x":1}', '', '{"x": oops'].map((text) => ({ function: { name: 'look', arguments: text } }))
    const { finished } = await outcome([piece({ content: '', tool_calls: calls }), end()])
    const parts = (finished?.content ?? []).filter((part) => part.type === 'tool_call')
    expect(parts.map((part) => part.arguments)).to.deep.equal([{ x: 1 }, {}, {}])
    expect(parts[2]?.invalid_arguments).to.equal('{"x": oops')
  })

  it('missing counts are estimated and marked as such', async () => {
    const usageFor = async (more: Parameters<typeof end>[1]) =>
      (await outcome([piece({ content: 'Hello there' }), end('stop', more)])).finished?.usage
    expect(await usageFor(counters)).to.not.have.property('estimated')
    expect(await usageFor({ eval_count: 3 })).to.include({ estimated: true, output_tokens: 3, input_tokens: 2 })
    expect(await usageFor({})).to.include({ estimated: true, output_tokens: 3 })
  })

  it('a prompt that fills its window causes a warning: from a setting, the group or an extra parameter', async () => {
    const full = [piece({ content: 'Hi' }), end('stop', { prompt_eval_count: 4_000, eval_count: 1 })]
    const warned = async (changes: Parameters<typeof requestTo>[1], pieces = full) => (await outcome(pieces, changes)).finished?.metadata
    for (const changes of [{ settings: { num_ctx: 4_096 } }, { contextWindow: 4_096 }, { extraParams: { options: { num_ctx: 4_096 } } }])
      expect((await warned(changes))?.['warning']).to.match(/4000 tokens .* 4096 tokens/)
    expect(await warned({ settings: { num_ctx: 8_192 } })).to.equal(undefined)
    expect(await warned({})).to.equal(undefined)
  })

  it('a prompt far larger than its window causes a warning, although few tokens were counted', async () => {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'word '.repeat(4_000) }] }]
    const { finished } = await outcome([end('stop', { prompt_eval_count: 300, eval_count: 1 })], { messages, settings: { num_ctx: 1_024 } })
    expect(finished?.metadata?.['warning']).to.contain('may have cut off')
  })

  it('a line that is not JSON ends the answer as invalid, after the content before it', async () => {
    const { text, error } = await outcome([piece({ content: 'Hi' }), bytesOf('<html>\n')])
    expect(text).to.equal('Hi')
    expect(error?.details['failure']).to.equal('invalid_response')
  })

  it('an answer in one piece without its last members is complete', async () => {
    const { done: _, done_reason: __, ...rest } = whole({ content: 'Hi' })
    replay = { headers: json, pieces: [bytesOf(JSON.stringify(rest))] }
    const { finished } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama', stream: false }))
    expect(finished).to.include({ stop_reason: 'stop' })
  })

  const refusals: readonly (readonly [number, string, string, boolean])[] = [
    [404, 'model "llama9" not found, try pulling it first', 'model_not_found', false],
    [400, '"phi" does not support thinking', 'bad_request', false],
    [400, 'registry.ollama.ai/library/phi:latest does not support tools', 'bad_request', false],
    [401, 'unauthorized', 'authentication', false],
    [500, 'model requires more system memory (90 GiB) than is available (8 GiB)', 'overloaded', false],
    [500, 'llama runner process has terminated', 'overloaded', true],
    [503, 'server busy, please try again.  maximum pending requests exceeded', 'overloaded', true],
    [429, "you've reached your hourly usage limit, please upgrade to continue", 'quota_exceeded', false],
    [400, 'prompt too long; exceeded max context length by 5 tokens', 'context_overflow', false],
  ]
  for (const [status, message, failure, retryable] of refusals) {
    it(`${status} “${message}” is ${failure}`, async () => {
      replay = { status, headers: json, pieces: [bytesOf(JSON.stringify({ error: message }))] }
      const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))
      expect(error?.details).to.include({ failure, retryable, httpStatus: status, reason: message })
    })
  }

  it('is read under any content type, as lines or events', async () => {
    const lines = [piece({ content: 'Hel' }), piece({ content: 'lo' }), end()]
    for (const type of ['application/json', 'text/plain', 'text/event-stream', 'application/octet-stream']) {
      for (const pieces of [lines, lines.map((each) => bytesOf(`data: ${Buffer.from(each).toString()}\n`))]) {
        replay = { headers: { 'content-type': type }, pieces }
        const { text, error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))
        expect(error).to.equal(undefined)
        expect(text).to.equal('Hello')
      }
    }
  })

  it('goes on after a line that ends the answer beside its content, or before any', async () => {
    const ended = (content: string): Uint8Array => bytesOf(`${JSON.stringify(whole({ content }))}\n`)
    for (const first of ['', 'The first, ']) {
      const { text, finished } = await outcome([ended(first), ended('the second.'), end()])
      expect(text).to.equal(`${first}the second.`)
      expect(finished?.stop_reason).to.equal('stop')
      replay = { headers: ndjson, pieces: [ended(first)], end: 'destroy' }
      expect((await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))).error?.details['failure']).to.equal('truncated')
    }
  })

  it('has a call once that its last line repeats, and arguments without an empty value before them', async () => {
    const call = { function: { name: 'look', arguments: { x: 1 } } }
    const last = bytesOf(`${JSON.stringify(whole({ content: '', tool_calls: [call] }))}\n`)
    expect((await outcome([piece({ content: '', tool_calls: [call] }), last])).finished?.content).to.have.length(1)
    const odd = { function: { name: 'look', arguments: '{}{"x":1}' } }
    expect((await outcome([piece({ content: '', tool_calls: [odd] }), end()])).finished?.content[0]).to.deep.include({
      arguments: { x: 1 },
    })
  })

  it('keeps the words of an error, and what they mean, in any form', async () => {
    for (const body of [
      '{"error":{"message":"insufficient balance"}}\n',
      'insufficient balance\n',
      '{"detail":"insufficient balance"}',
      '{"message":"insufficient balance","code":1}',
    ]) {
      const { text, error } = await outcome([piece({ content: 'Half' }), bytesOf(body)])
      expect(text).to.equal('Half')
      expect(error?.details, body).to.include({ failure: 'quota_exceeded', retryable: false })
      expect(error?.details['reason']).to.contain('insufficient balance')
    }
  })
})
