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
import {
  callDelta,
  callEnd,
  callStart,
  contentDelta,
  contentEnd,
  contentStart,
  event,
  messageStart,
  planDelta,
  streamOf,
  usage,
} from './wire.js'

const key = 'co-contract-key-0123456789'
const json = { 'content-type': 'application/json' }

interface Played {
  /** The message of an answer in one piece. */
  readonly message: JsonObject
  readonly events: readonly JsonObject[]
  readonly finish: string
  readonly expected: ExpectedAnswer
}

const wireCall = (id: string, timezone: string): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'get_time', arguments: JSON.stringify({ timezone }) },
})
const callEvents = (index: number, id: string, pieces: readonly string[]): readonly JsonObject[] => [
  callStart(index, id, 'get_time'),
  ...pieces.map((piece) => callDelta(index, piece)),
  callEnd(index),
]
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })
const contents = (...texts: readonly string[]): readonly JsonObject[] => [
  contentStart(0, { type: 'text', text: '' }),
  ...texts.map((text) => contentDelta(0, { text })),
  contentEnd(0),
]
const plan = 'I will look at the clock in Berlin.'

const text: Played = {
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hello, wörld 👋!' }] },
  events: contents('Hello, ', 'wörld 👋!'),
  finish: 'COMPLETE',
  expected: {
    text: 'Hello, wörld 👋!',
    stopReason: 'stop',
    usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 0 },
  },
}
const planned: Played = {
  message: { role: 'assistant', tool_plan: plan, tool_calls: [wireCall('call_1', 'Europe/Berlin')] },
  events: [
    planDelta('I will look '),
    planDelta('at the clock in Berlin.'),
    ...callEvents(0, 'call_1', ['{"time', 'zone":"Eu', 'rope/Berlin"}']),
  ],
  finish: 'TOOL_CALL',
  expected: { toolCalls: [call('Europe/Berlin')] },
}
const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': planned,
  opaque: planned,
  'parallel-calls': {
    message: { role: 'assistant', tool_calls: [wireCall('call_1', 'Europe/Berlin'), wireCall('call_2', 'Asia/Tokyo')] },
    events: [...callEvents(0, 'call_1', ['{"timezone":"Europe/Berlin"}']), ...callEvents(1, 'call_2', ['{"timezone":', '"Asia/Tokyo"}'])],
    finish: 'TOOL_CALL',
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  reasoning: {
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me think.' },
        { type: 'text', text: 'Done.' },
      ],
    },
    events: [
      contentStart(0, { type: 'thinking', thinking: '' }),
      contentDelta(0, { thinking: 'Let me ' }),
      contentDelta(0, { thinking: 'think.' }),
      contentEnd(0),
      contentStart(1, { type: 'text', text: '' }),
      contentDelta(1, { text: 'Done.' }),
      contentEnd(1),
    ],
    finish: 'COMPLETE',
    expected: { reasoning: 'Let me think.', text: 'Done.' },
  },
}

const otherExpectations: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
  'one-piece': text.expected,
}

const beginning = [event(messageStart), event(contentStart(0, { type: 'text', text: '' })), event(contentDelta(0, { text: 'Hello, ' }))]

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const played = scenario === 'one-piece' ? text : answers[scenario]
  if (played && stream && scenario !== 'one-piece') return { pieces: streamOf(played.events, played.finish) }
  if (played) {
    const answer = { id: 'answer-1', message: played.message, finish_reason: played.finish, usage }
    return { headers: json, pieces: [bytesOf(JSON.stringify(answer))] }
  }
  switch (scenario) {
    case 'cut-text':
      return { pieces: beginning, end: 'destroy' }
    case 'cut-tool-call':
      return { pieces: [event(messageStart), event(callStart(0, 'call_1', 'get_time')), event(callDelta(0, '{"timezone":'))] }
    case 'error':
      return { status: 429, headers: json, pieces: [bytesOf(JSON.stringify({ message: `Slow down, ${key}. ${'x'.repeat(5_000)}` }))] }
    case 'error-in-answer':
      return stream
        ? { pieces: [...beginning, event({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Too many of you' } })] }
        : { headers: json, pieces: [bytesOf(JSON.stringify({ id: 'x', message: 'Too many of you' }))] }
    case 'endless':
      return { pieces: beginning, end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

/** Vectors in the protocol. */
function playVectors(body: string): Replay {
  const { texts } = JSON.parse(body) as { readonly texts: readonly string[] }
  const answer = { id: 'answer-1', embeddings: { float: playEmbeddings(texts) }, texts, meta: { billed_units: { input_tokens: 8 } } }
  return { headers: json, pieces: [bytesOf(JSON.stringify(answer))] }
}

/** A local server that plays a scenario of the contract suite in Cohere's protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    if (scenario === 'embed') return playVectors(body)
    const { stream, messages } = JSON.parse(body) as { readonly stream?: boolean; readonly messages: readonly { readonly role: string }[] }
    const isAnswered = scenario === 'opaque' && messages.at(-1)?.role === 'tool'
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'cohere', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'cohere-chat',
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
