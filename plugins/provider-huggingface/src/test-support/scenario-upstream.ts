import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  type ExpectedAnswer,
  type ProviderScenario,
  type ProviderUpstream,
  type Replay,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { delta, event, json, streamOf, whole } from './wire.js'

const key = 'hf_contractkey0123456789'

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
  expected: {
    text: 'Hello, wörld 👋!',
    stopReason: 'stop',
    usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 0 },
  },
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
    message: { role: 'assistant', reasoning: 'Let me think.', content: 'Done.' },
    deltas: [{ reasoning: 'Let me ' }, { reasoning: 'think.' }, { content: 'Done.' }],
    finish: 'stop',
    expected: { reasoning: 'Let me think.', text: 'Done.' },
  },
}

const otherExpectations: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
  'one-piece': text.expected,
}

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const played = scenario === 'one-piece' ? text : answers[scenario]
  if (played && stream && scenario !== 'one-piece') return { pieces: streamOf(played.deltas, played.finish) }
  if (played) return { headers: json, pieces: [whole(played.message, played.finish)] }
  const error = { error: 'Request failed during generation', error_type: 'generation' }
  switch (scenario) {
    case 'cut-text':
      return { pieces: [delta({ content: 'Hello, ' })], end: 'destroy' }
    case 'cut-tool-call':
      return { pieces: [delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'get_time', arguments: '{"timezone":' } }] })] }
    case 'error':
      return { status: 429, headers: json, pieces: [bytesOf(JSON.stringify({ error: `Slow down, ${key}. ${'x'.repeat(5_000)}` }))] }
    case 'error-in-answer':
      return stream
        ? { pieces: [delta({ content: 'Hello, ' }), event(error)] }
        : { headers: json, pieces: [bytesOf(JSON.stringify(error))] }
    case 'endless':
      return { pieces: [delta({ content: 'Hello' })], end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

/**
 * A local server that plays a scenario of the contract suite as a provider behind the router does.
 */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    const { stream, messages } = JSON.parse(body) as { readonly stream?: boolean; readonly messages: readonly { readonly role: string }[] }
    const isAnswered = scenario === 'opaque' && messages.at(-1)?.role === 'tool'
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'huggingface', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'huggingface',
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
