import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  type ExpectedAnswer,
  type ProviderScenario,
  type ProviderUpstream,
  type Replay,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { block, callBlock, event, faultWire, message, messageEnd, messageStart, streamOf, textBlock, wireError } from './wire.js'

const key = 'sk-ant-contract-key-0123456789'
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })
const signature = 'EqoBCkYIARgCKkA+/ünreadable by others=='

interface Played {
  /** The blocks of an answer in one piece. */
  readonly content: readonly JsonObject[]
  /** The same as events. */
  readonly events: readonly JsonObject[]
  readonly reason: string
  readonly expected: ExpectedAnswer
}

const usage = { input_tokens: 8, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 7 }
const toolUse = (id: string, timezone: string): JsonObject => ({ type: 'tool_use', id, name: 'get_time', input: { timezone } })

const text: Played = {
  content: [{ type: 'text', text: 'Hello, wörld 👋!' }],
  events: textBlock(0, 'Hello, ', 'wörld 👋!'),
  reason: 'end_turn',
  expected: {
    text: 'Hello, wörld 👋!',
    stopReason: 'stop',
    usage: { input_tokens: 13, cached_input_tokens: 3, cache_write_input_tokens: 2, output_tokens: 7, reasoning_tokens: 0 },
  },
}

const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': {
    content: [toolUse('toolu_1', 'Europe/Berlin')],
    events: callBlock(0, 'toolu_1', 'get_time', '{"time', 'zone": "Eu', 'rope/Berlin"}'),
    reason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  'parallel-calls': {
    content: [toolUse('toolu_1', 'Europe/Berlin'), toolUse('toolu_2', 'Asia/Tokyo')],
    events: [
      ...callBlock(0, 'toolu_1', 'get_time', '{"timezone": "Europe/Berlin"}'),
      ...callBlock(1, 'toolu_2', 'get_time', '{"timezone": ', '"Asia/Tokyo"}'),
    ],
    reason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  opaque: {
    content: [{ type: 'thinking', thinking: 'A clock will know.', signature }, toolUse('toolu_1', 'Europe/Berlin')],
    events: [
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'A clock will know.' },
        { type: 'signature_delta', signature },
      ),
      ...callBlock(1, 'toolu_1', 'get_time', '{"timezone": "Europe/Berlin"}'),
    ],
    reason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  reasoning: {
    content: [
      { type: 'thinking', thinking: 'Let me think.', signature },
      { type: 'text', text: 'Done.' },
    ],
    events: [
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        ...['Let me ', 'think.'].map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ),
      ...textBlock(1, 'Done.'),
    ],
    reason: 'end_turn',
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
    return { pieces: [messageStart(usage), ...played.events, ...messageEnd(played.reason, { output_tokens: 7 })].map(event) }
  if (played) return json(message(played.content, played.reason, usage))
  switch (scenario) {
    case 'cut-text':
      return { pieces: [faultWire.text], end: 'destroy' }
    case 'cut-tool-call':
      return { pieces: [faultWire.halfCall] }
    case 'error':
      return json(wireError('rate_limit_error', `Slow down, ${key}. ${'x'.repeat(5_000)}`), 429)
    case 'error-in-answer':
      return stream ? { pieces: [faultWire.text, faultWire.overloaded] } : json(wireError('overloaded_error', 'Overloaded'))
    case 'endless':
      return { pieces: [streamOf(messageStart(), ...textBlock(0, 'Hello').slice(0, 2))], end: 'hold' }
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

/** A local server that plays a scenario of the contract suite in the messages protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    const { stream, messages } = JSON.parse(body) as { readonly stream?: boolean; readonly messages: readonly JsonObject[] }
    const isAnswered = scenario === 'opaque' && JSON.stringify(messages.at(-1)).includes('"tool_result"')
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'anthropic-messages',
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
