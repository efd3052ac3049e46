import type { JsonObject } from '@agent-service/sdk'
import type { ExpectedAnswer, ProviderScenario, ProviderUpstream } from '@agent-service/sdk/testing'
import { bytesOf, playEmbeddings, type Replay, startReplayServer } from '@agent-service/sdk/testing'

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 3 } }
const expectedUsage = { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 0 }
const key = 'sk-contract-key-0123456789'

interface Played {
  /** The message of an answer in one piece. */
  readonly message: JsonObject
  /** The same as deltas. */
  readonly deltas: readonly JsonObject[]
  readonly finish: string
  readonly expected: ExpectedAnswer
}

const wireCall = (id: string, timezone: string, index?: number): JsonObject => ({
  ...(index !== undefined && { index }),
  id,
  type: 'function',
  function: { name: 'get_time', arguments: JSON.stringify({ timezone }) },
})
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })

/** Reasoning that only its vendor can read. */
const opaqueDetail: JsonObject = { type: 'reasoning.encrypted', index: 0, data: 'gAAAA+/ünreadable by others==' }

const text: Played = {
  message: { role: 'assistant', content: 'Hello, wörld 👋!' },
  deltas: [{ role: 'assistant', content: '' }, { content: 'Hello, ' }, { content: 'wörld 👋!' }],
  finish: 'stop',
  expected: { text: 'Hello, wörld 👋!', stopReason: 'stop', usage: expectedUsage },
}
const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': {
    message: { role: 'assistant', content: null, tool_calls: [wireCall('call_1', 'Europe/Berlin')] },
    deltas: [
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '' } }] },
      ...['{"time', 'zone":"Eu', 'rope/Berlin"}'].map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    ],
    finish: 'tool_calls',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  'parallel-calls': {
    message: { role: 'assistant', content: null, tool_calls: [wireCall('call_1', 'Europe/Berlin'), wireCall('call_2', 'Asia/Tokyo')] },
    deltas: [{ tool_calls: [wireCall('call_1', 'Europe/Berlin', 0), wireCall('call_2', 'Asia/Tokyo', 1)] }],
    finish: 'tool_calls',
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  opaque: {
    message: { role: 'assistant', content: null, reasoning_details: [opaqueDetail], tool_calls: [wireCall('call_1', 'Europe/Berlin')] },
    deltas: [{ reasoning_details: [opaqueDetail] }, { tool_calls: [wireCall('call_1', 'Europe/Berlin', 0)] }],
    finish: 'tool_calls',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  reasoning: {
    message: { role: 'assistant', reasoning_content: 'Let me think.', content: 'Done.' },
    deltas: [{ reasoning_content: 'Let me ' }, { reasoning_content: 'think.' }, { content: 'Done.' }],
    finish: 'stop',
    expected: { reasoning: 'Let me think.', text: 'Done.' },
  },
}

const event = (chunk: JsonObject): Uint8Array => bytesOf(`data: ${JSON.stringify(chunk)}\n\n`)
const deltaEvent = (delta: JsonObject, finish: string | null = null): Uint8Array =>
  event({ id: 'answer-1', model: 'model-1', choices: [{ index: 0, delta, finish_reason: finish }] })

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const played = scenario === 'one-piece' ? text : answers[scenario]
  if (played && stream && scenario !== 'one-piece') {
    const end = [deltaEvent({}, played.finish), event({ id: 'answer-1', choices: [], usage }), bytesOf('data: [DONE]\n\n')]
    return { pieces: [...played.deltas.map((delta) => deltaEvent(delta)), ...end] }
  }
  if (played) {
    const answer = {
      id: 'answer-1',
      model: 'model-1',
      choices: [{ index: 0, message: played.message, finish_reason: played.finish }],
      usage,
    }
    return { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
  }
  switch (scenario) {
    case 'cut-text':
      return { pieces: [deltaEvent({ content: 'Hello, ' })], end: 'destroy' }
    case 'cut-tool-call':
      return {
        pieces: [deltaEvent({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'get_time', arguments: '{"timezone":' } }] })],
      }
    case 'error':
      return {
        status: 429,
        headers: { 'content-type': 'application/json' },
        pieces: [bytesOf(JSON.stringify({ error: { message: `Slow down, ${key}. ${'x'.repeat(5_000)}` } }))],
      }
    case 'error-in-answer':
      return stream
        ? {
            pieces: [deltaEvent({ content: 'Hello, ' }), event({ error: { message: 'Too many of you', code: 'engine_overloaded_error' } })],
          }
        : {
            headers: { 'content-type': 'application/json' },
            pieces: [bytesOf(JSON.stringify({ error: { code: 'engine_overloaded_error' } }))],
          }
    case 'endless':
      return { pieces: [deltaEvent({ content: 'Hello' })], end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

const otherExpectations: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
  'one-piece': text.expected,
}

/** Vectors in the protocol, the last one first: each says which it is. */
function playVectors(body: string): Replay {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] }
  const data = playEmbeddings(input).map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const answer = { object: 'list', data: data.reverse(), model: 'model-1', usage: { prompt_tokens: 8, total_tokens: 8 } }
  return { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
}

/** A local server that plays a scenario of the contract suite in the completions protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    if (scenario === 'embed') return playVectors(body)
    const { stream, messages } = JSON.parse(body) as { readonly stream?: boolean; readonly messages: readonly { readonly role: string }[] }
    const isAnswered = scenario === 'opaque' && messages.at(-1)?.role === 'tool'
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'completions',
    model: 'model-1',
    expected: answers[scenario]?.expected ?? otherExpectations[scenario] ?? {},
    calls: () => server.seen.length,
    bodies: () => server.seen.map(({ body }) => body),
    idle: async () => {
      await Promise.all(server.seen.map(({ ended }) => ended))
    },
    close: () => server.close(),
  }
}
