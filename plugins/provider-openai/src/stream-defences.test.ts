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

const chunk = (delta: JsonObject | null, rest: JsonObject = {}): string =>
  `data: ${JSON.stringify({ id: 'answer-1', choices: [{ index: 0, delta, finish_reason: null, ...rest }] })}\n\n`
const finish = (reason: string, more: JsonObject = {}): string =>
  `data: ${JSON.stringify({ id: 'answer-1', choices: [{ index: 0, delta: {}, finish_reason: reason }], ...more })}\n\n`
const call = (piece: JsonObject): string => chunk({ tool_calls: [piece] })
const done = 'data: [DONE]\n\n'

describe('irregular streams of brands', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (stream: string | Uint8Array, rest: Partial<Replay> = {}): Promise<CallOutcome> => {
    const bytes = typeof stream === 'string' ? bytesOf(stream) : stream
    replay = { pieces: Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)), ...rest }
    return outcomeOf(adapter, requestTo(server.baseUrl))
  }
  const callsOf = ({ finished }: CallOutcome) =>
    (finished?.content ?? []).flatMap((part) =>
      part.type === 'tool_call' ? [{ id: part.provider_call_id, name: part.name, arguments: part.arguments }] : [],
    )

  it('a byte order mark, CRLF, lone CR, comments and characters of several bytes, one byte at a time', async () => {
    const stream = `\uFEFF: PROCESSING\r\n\r\n${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'Grüße 👋' })}`.replaceAll(
      '\n\n',
      '\r\n\r\n',
    )
    const { finished, text } = await outcome(`${stream}: keep-alive\r\r${finish('stop')}${done}`)
    expect(text).to.equal('Grüße 👋')
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Grüße 👋' }])
  })

  it('no [DONE] after the finish reason is a normal end', async () => {
    const { finished } = await outcome(chunk({ content: 'Hi' }) + finish('stop'))
    expect(finished?.stop_reason).to.equal('stop')
  })

  it('an empty chunk after the finish reason changes nothing', async () => {
    const { finished, error } = await outcome(
      chunk({ content: 'Hi' }) + finish('stop') + chunk(null, { content_filter_results: {} }) + done,
    )
    expect(error?.message).to.equal(undefined)
    expect(finished?.stop_reason).to.equal('stop')
  })

  it('a connection reset after the finish reason does not affect the answer', async () => {
    const { finished, error } = await outcome(chunk({ content: 'Hi' }) + finish('stop'), { end: 'destroy' })
    expect(error).to.equal(undefined)
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hi' }])
  })

  it('[DONE] without a finish reason is a cut answer', async () => {
    const { error, text } = await outcome(chunk({ content: 'Hi' }) + done)
    expect(text).to.equal('Hi')
    expect(error?.details['failure']).to.equal('truncated')
  })

  it('an empty answer with a normal stop has no parts', async () => {
    const { finished } = await outcome(chunk({ role: 'assistant', content: '' }) + finish('stop') + done)
    expect(finished?.content).to.deep.equal([])
    expect(finished?.usage.estimated).to.equal(true)
  })

  it('calls without an index are distinguished by their ids', async () => {
    const stream =
      call({ id: 'a', function: { name: 'one', arguments: '{"x":' } }) +
      call({ function: { arguments: '1}' } }) +
      call({ id: 'b', function: { name: 'two', arguments: '{}' } })
    expect(callsOf(await outcome(stream + finish('tool_calls') + done))).to.deep.equal([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: {} },
    ])
  })

  it('a new id and name under the same index is a new call; repeated ids and names are not', async () => {
    const stream =
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }) +
      call({ index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } }) +
      call({ index: 0, id: 'b', function: { name: 'two', arguments: '{"y":2}' } })
    expect(callsOf(await outcome(stream + finish('tool_calls') + done))).to.deep.equal([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: { y: 2 } },
    ])
  })

  it('interleaved fragments of parallel calls', async () => {
    const stream =
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }) +
      call({ index: 1, id: 'b', function: { name: 'two', arguments: '{"k":' } }) +
      call({ index: 0, function: { arguments: '{"k":1' } }) +
      call({ index: 1, function: { arguments: '2}' } }) +
      call({ index: 0, function: { arguments: '}' } })
    expect(callsOf(await outcome(stream + finish('tool_calls') + done)).map((entry) => entry.arguments)).to.deep.equal([{ k: 1 }, { k: 2 }])
  })

  it('arguments as an object, none at all, and a bare null', async () => {
    const stream =
      call({ index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } }) +
      call({ index: 1, id: 'b', function: { name: 'two', arguments: '' } }) +
      call({ index: 2, id: 'c', function: { name: 'three', arguments: 'null' } })
    expect(callsOf(await outcome(stream + finish('stop') + done)).map((entry) => entry.arguments)).to.deep.equal([{ x: 1 }, {}, {}])
  })

  it('arguments that are not JSON are passed on unchanged', async () => {
    const { finished } = await outcome(
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x": oops' } }) + finish('tool_calls') + done,
    )
    expect(finished?.content[0]).to.include({ type: 'tool_call', invalid_arguments: '{"x": oops' })
    expect(finished?.stop_reason).to.equal('tool_calls')
  })

  it('a limit inside the arguments leaves no call, with or without a first fragment', async () => {
    for (const fragment of ['{"x": "half', '']) {
      const { finished } = await outcome(
        chunk({ content: 'Hm' }) + call({ index: 0, id: 'a', function: { name: 'one', arguments: fragment } }) + finish('length') + done,
      )
      expect(finished?.content).to.deep.equal([{ type: 'text', text: 'Hm' }])
      expect(finished?.stop_reason).to.equal('length')
    }
  })

  it('a refusal is text with its own stop reason', async () => {
    const { finished } = await outcome(chunk({ refusal: 'I cannot ' }) + chunk({ refusal: 'help.' }) + finish('stop') + done)
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'I cannot help.' }])
    expect(finished?.stop_reason).to.equal('refusal')
  })

  it('reasoning that several fields carry is shown once', async () => {
    const both = chunk({ reasoning: 'Let me', reasoning_details: [{ type: 'reasoning.text', text: 'Let me', index: 0 }] })
    const later = chunk({ reasoning_details: [{ type: 'reasoning.text', text: '', signature: 'sig', index: 0 }] })
    const { finished, reasoning } = await outcome(both + later + chunk({ content: 'Yes' }) + finish('stop') + done)
    expect(reasoning).to.equal('Let me')
    expect(finished?.content[0]).to.deep.equal({
      type: 'reasoning',
      text: 'Let me',
      opaque: {
        vendor: 'openai-completions:custom:model-1',
        data: { field: 'reasoning_details', value: [{ type: 'reasoning.text', text: 'Let me', index: 0, signature: 'sig' }] },
      },
    })
  })

  it('other choices, null deltas, unknown fields and empty choices are ignored', async () => {
    const stream =
      `data: {"choices":[],"obfuscation":"x"}\n\n${chunk(null)}` +
      `data: {"choices":[{"index":1,"delta":{"content":"other"},"finish_reason":"length"}]}\n\nretry: 5\nid: 7\nwhatever: 1\n${chunk({ content: 'Hi' })}`
    const { finished, text } = await outcome(stream + finish('stop') + done)
    expect(text).to.equal('Hi')
    expect(finished?.raw_stop_reason).to.equal('stop')
  })

  it('usage beside the finish reason, in a later chunk, inside the choice, and in x_groq', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const expected = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
    const ends = [
      finish('stop', { usage }),
      `${finish('stop')}data: ${JSON.stringify({ choices: [], usage })}\n\n`,
      chunk({}, { finish_reason: 'stop', usage }),
      finish('stop', { x_groq: { usage } }),
    ]
    for (const end of ends) expect((await outcome(chunk({ content: 'Hi' }) + end + done)).finished?.usage).to.deep.equal(expected)
  })

  it('reasoning counted apart from the completion, and more cached tokens than input', async () => {
    const details = { completion_tokens_details: { reasoning_tokens: 228 }, prompt_tokens_details: { cached_tokens: 163 } }
    const { finished } = await outcome(
      finish('stop', { usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 241, ...details } }) + done,
    )
    expect(finished?.usage).to.deep.equal({ input_tokens: 12, cached_input_tokens: 12, output_tokens: 229, reasoning_tokens: 228 })
  })

  it('an answer in one piece although a stream was asked for, an object or a bare text', async () => {
    const json = { 'content-type': 'application/json; charset=utf-8' }
    const answer = { id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'eos' }] }
    expect((await outcome(JSON.stringify(answer), { headers: json })).finished).to.include({ stop_reason: 'stop', raw_stop_reason: 'eos' })
    expect((await outcome('"Hi"', { headers: json })).finished?.content).to.deep.equal([{ type: 'text', text: 'Hi' }])
  })
})
