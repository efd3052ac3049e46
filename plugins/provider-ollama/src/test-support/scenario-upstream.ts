import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  type ExpectedAnswer,
  type ProviderScenario,
  type ProviderUpstream,
  playEmbeddings,
  type Replay,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { end, json, line, ndjson, piece, whole } from './wire.js'

const key = 'ollama-contract-key-0123456789'

interface Played {
  /** The message of an answer in one piece. */
  readonly message: JsonObject
  /** The same in pieces. */
  readonly pieces: readonly JsonObject[]
  readonly expected: ExpectedAnswer
}

const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })
const wireCall = (timezone: string): JsonObject => ({ function: call(timezone) })
const thought = 'I had better look at the clock in Berlin.'

const text: Played = {
  message: { content: 'Hello, wörld 👋!' },
  pieces: [{ content: 'Hello, ' }, { content: 'wörld 👋!' }],
  expected: {
    text: 'Hello, wörld 👋!',
    stopReason: 'stop',
    usage: { input_tokens: 11, cached_input_tokens: 0, output_tokens: 7, reasoning_tokens: 0 },
  },
}
const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': {
    message: { content: '', tool_calls: [wireCall('Europe/Berlin')] },
    pieces: [{ content: '', tool_calls: [wireCall('Europe/Berlin')] }],
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  'parallel-calls': {
    message: { content: '', tool_calls: [wireCall('Europe/Berlin'), wireCall('Asia/Tokyo')] },
    pieces: ['Europe/Berlin', 'Asia/Tokyo'].map((zone) => ({ content: '', tool_calls: [wireCall(zone)] })),
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  opaque: {
    message: { content: '', thinking: thought, tool_calls: [wireCall('Europe/Berlin')] },
    pieces: [
      { content: '', thinking: thought.slice(0, 9) },
      { content: '', thinking: thought.slice(9) },
      { content: '', tool_calls: [wireCall('Europe/Berlin')] },
    ],
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  reasoning: {
    message: { content: 'Done.', thinking: 'Let me think.' },
    pieces: [{ content: '', thinking: 'Let me ' }, { content: '', thinking: 'think.' }, { content: 'Done.' }],
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
  if (played && stream && scenario !== 'one-piece') return { headers: ndjson, pieces: [...played.pieces.map(piece), end()] }
  if (played) return { headers: json, pieces: [bytesOf(JSON.stringify(whole(played.message)))] }
  const hello = piece({ content: 'Hello, ' })
  switch (scenario) {
    case 'cut-text':
      return { headers: ndjson, pieces: [hello], end: 'destroy' }
    case 'cut-tool-call':
      return { headers: ndjson, pieces: [piece({ content: '', tool_calls: [wireCall('Europe/Berlin')] }).subarray(0, -30)] }
    case 'error':
      return { status: 429, headers: json, pieces: [bytesOf(JSON.stringify({ error: `Slow down, ${key}. ${'x'.repeat(5_000)}` }))] }
    case 'error-in-answer':
      return { headers: stream ? ndjson : json, pieces: [...(stream ? [hello] : []), line({ error: 'unexpected EOF' })] }
    case 'endless':
      return { headers: ndjson, pieces: [hello], end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

/** Vectors in the protocol. */
function playVectors(body: string): Replay {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] }
  const answer = { model: 'model-1', embeddings: playEmbeddings(input), total_duration: 5, prompt_eval_count: 8 }
  return { headers: json, pieces: [bytesOf(JSON.stringify(answer))] }
}

/** A local server that plays a scenario of the contract suite in Ollama's protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    if (scenario === 'embed') return playVectors(body)
    const { stream, messages } = JSON.parse(body) as { readonly stream?: boolean; readonly messages: readonly { readonly role: string }[] }
    const isAnswered = scenario === 'opaque' && messages.at(-1)?.role === 'tool'
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'ollama', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'ollama',
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
