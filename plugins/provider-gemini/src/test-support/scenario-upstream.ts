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
import { callPart, chunk, event, faultWire, lastChunk, wireError } from './wire.js'

const key = 'AIza-contract-key-0123456789'
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })
const signature = 'CiQBARFNMg+/ünreadable by others=='

interface Played {
  /** The parts of an answer in one piece. */
  readonly parts: readonly JsonObject[]
  /** The same, one chunk each. */
  readonly chunks: readonly (readonly JsonObject[])[]
  readonly expected: ExpectedAnswer
}

const usage = { promptTokenCount: 11, cachedContentTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 18 }
const berlin = callPart('get_time', { timezone: 'Europe/Berlin' })
const tokyo = callPart('get_time', { timezone: 'Asia/Tokyo' })
const signed = callPart('get_time', { timezone: 'Europe/Berlin' }, signature)
const text: Played = {
  parts: [{ text: 'Hello, wörld 👋!' }],
  chunks: [[{ text: 'Hello, ' }], [{ text: 'wörld 👋!' }]],
  expected: {
    text: 'Hello, wörld 👋!',
    stopReason: 'stop',
    usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 2 },
  },
}

const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': { parts: [berlin], chunks: [[berlin]], expected: { toolCalls: [call('Europe/Berlin')] } },
  'parallel-calls': {
    parts: [berlin, tokyo],
    chunks: [[berlin], [tokyo]],
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  opaque: { parts: [signed], chunks: [[signed]], expected: { toolCalls: [call('Europe/Berlin')] } },
  reasoning: {
    parts: [{ text: 'Let me think.', thought: true }, { text: 'Done.' }],
    chunks: [[{ text: 'Let me ', thought: true }], [{ text: 'think.', thought: true }, { text: 'Do' }], [{ text: 'ne.' }]],
    expected: { reasoning: 'Let me think.', text: 'Done.' },
  },
}

const json = (value: JsonObject, status = 200): Replay => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify(value))],
})

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const played = scenario === 'one-piece' ? text : answers[scenario]
  if (played && stream && scenario !== 'one-piece')
    return { pieces: [...played.chunks.map((parts) => event(chunk(parts, {}, { usageMetadata: usage }))), event(lastChunk('STOP', usage))] }
  if (played) return json(chunk(played.parts, { finishReason: 'STOP' }, { usageMetadata: usage }))
  switch (scenario) {
    case 'cut-text':
      return { pieces: [faultWire.text], end: 'destroy' }
    case 'cut-tool-call':
      return { pieces: [faultWire.halfCall] }
    case 'error':
      return json(wireError(429, 'RESOURCE_EXHAUSTED', `Slow down, ${key}. ${'x'.repeat(5_000)}`), 429)
    case 'error-in-answer':
      return stream ? { pieces: [faultWire.text, faultWire.overloaded] } : json(wireError(503, 'UNAVAILABLE', 'Overloaded'))
    case 'endless':
      return { pieces: [event(chunk([{ text: 'Hello' }]))], end: 'hold' }
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

/** Vectors in the protocol. */
function playVectors(body: string): Replay {
  const { requests } = JSON.parse(body) as {
    readonly requests: readonly { readonly content: { readonly parts: readonly { readonly text: string }[] } }[]
  }
  const texts = requests.map(({ content }) => content.parts.map(({ text }) => text).join(''))
  return json({ embeddings: playEmbeddings(texts).map((values) => ({ values })) })
}

/** A local server that plays a scenario of the contract suite in the generate-content protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ url, body }) => {
    if (scenario === 'embed') return playVectors(body)
    const isAnswered = scenario === 'opaque' && body.includes('"functionResponse"')
    return replayOf(isAnswered ? 'text' : scenario, url.includes(':streamGenerateContent?alt=sse'))
  })
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'google-generate-content',
    model: 'gemini-3-pro',
    expected: answers[scenario]?.expected ?? otherExpectations[scenario] ?? {},
    calls: () => server.seen.length,
    bodies: () => server.seen.map(({ body }) => body),
    idle: async () => {
      await Promise.all(server.seen.map(({ ended }) => ended))
    },
    close: () => server.close(),
  }
}
