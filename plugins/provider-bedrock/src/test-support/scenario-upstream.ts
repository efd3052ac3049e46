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
import { eventFrame, exceptionFrame } from './encode-frame.js'

const usage = { inputTokens: 8, outputTokens: 7, totalTokens: 20, cacheReadInputTokens: 3, cacheWriteInputTokens: 2 }
const expectedUsage = { input_tokens: 13, cached_input_tokens: 3, cache_write_input_tokens: 2, output_tokens: 7, reasoning_tokens: 0 }
const key = 'bedrock-api-key-contract-0123456789'

interface Played {
  /** The blocks of the answer, as one piece has them. */
  readonly content: readonly JsonObject[]
  /** The same as events between start and stop. */
  readonly events: readonly (readonly [string, JsonObject])[]
  readonly stopReason: string
  readonly expected: ExpectedAnswer
}

const toolUse = (id: string, timezone: string): JsonObject => ({
  toolUse: { toolUseId: id, name: 'get_time', input: { timezone } },
})
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })
const delta = (block: number, value: JsonObject): readonly [string, JsonObject] => [
  'contentBlockDelta',
  { contentBlockIndex: block, delta: value },
]
const stop = (block: number): readonly [string, JsonObject] => ['contentBlockStop', { contentBlockIndex: block }]
const callEvents = (block: number, id: string, pieces: readonly string[]): readonly (readonly [string, JsonObject])[] => [
  ['contentBlockStart', { contentBlockIndex: block, start: { toolUse: { toolUseId: id, name: 'get_time' } } }],
  ...pieces.map((input) => delta(block, { toolUse: { input } })),
  stop(block),
]

/** The vendor's signature of the reasoning. */
const signature = 'EvYBCkgICxABGAIqQA9E9VC377UnbjdfXCw4Rw+/=='

const text: Played = {
  content: [{ text: 'Hello, wörld 👋!' }],
  events: [delta(0, { text: 'Hello, ' }), delta(0, { text: 'wörld 👋!' }), stop(0)],
  stopReason: 'end_turn',
  expected: { text: 'Hello, wörld 👋!', stopReason: 'stop', usage: expectedUsage },
}
const answers: Readonly<Partial<Record<ProviderScenario, Played>>> = {
  text,
  'tool-call': {
    content: [toolUse('tooluse_1', 'Europe/Berlin')],
    events: callEvents(0, 'tooluse_1', ['{"time', 'zone":"Eu', 'rope/Berlin"}']),
    stopReason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  'parallel-calls': {
    content: [toolUse('tooluse_1', 'Europe/Berlin'), toolUse('tooluse_2', 'Asia/Tokyo')],
    events: [
      ...callEvents(0, 'tooluse_1', ['{"timezone": "Europe/Berlin"}']),
      ...callEvents(1, 'tooluse_2', ['{"timezone": "Asia/Tokyo"}']),
    ],
    stopReason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  },
  opaque: {
    content: [
      { reasoningContent: { reasoningText: { text: 'The user wants the time.', signature } } },
      toolUse('tooluse_1', 'Europe/Berlin'),
    ],
    events: [
      delta(0, { reasoningContent: { text: 'The user ' } }),
      delta(0, { reasoningContent: { text: 'wants the time.' } }),
      delta(0, { reasoningContent: { signature } }),
      stop(0),
      ...callEvents(1, 'tooluse_1', ['{"timezone":"Europe/Berlin"}']),
    ],
    stopReason: 'tool_use',
    expected: { toolCalls: [call('Europe/Berlin')] },
  },
  reasoning: {
    content: [{ reasoningContent: { reasoningText: { text: 'Let me think.', signature } } }, { text: 'Done.' }],
    events: [
      delta(0, { reasoningContent: { text: 'Let me ' } }),
      delta(0, { reasoningContent: { text: 'think.' } }),
      delta(0, { reasoningContent: { signature } }),
      stop(0),
      delta(1, { text: 'Done.' }),
      stop(1),
    ],
    stopReason: 'end_turn',
    expected: { reasoning: 'Let me think.', text: 'Done.' },
  },
}

const json = { 'content-type': 'application/json', 'x-amzn-requestid': 'request-1' }
const frames = { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'request-1' }
const beginning = eventFrame('messageStart', { role: 'assistant' })

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const played = scenario === 'one-piece' ? text : answers[scenario]
  if (played && stream && scenario !== 'one-piece') {
    const end = [
      eventFrame('messageStop', { stopReason: played.stopReason }),
      eventFrame('metadata', { usage, metrics: { latencyMs: 12 } }),
    ]
    return { headers: frames, pieces: [beginning, ...played.events.map(([name, data]) => eventFrame(name, data)), ...end] }
  }
  if (played) {
    const answer = {
      output: { message: { role: 'assistant', content: played.content } },
      stopReason: played.stopReason,
      usage,
      metrics: { latencyMs: 12 },
    }
    return { headers: json, pieces: [bytesOf(JSON.stringify(answer))] }
  }
  const hello = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello, ' } })
  switch (scenario) {
    case 'cut-text':
      return { headers: frames, pieces: [beginning, hello], end: 'destroy' }
    case 'cut-tool-call':
      return {
        headers: frames,
        pieces: callEvents(0, 'tooluse_1', ['{"timezone":'])
          .slice(0, 2)
          .map(([name, data]) => eventFrame(name, data)),
      }
    case 'error':
      return {
        status: 429,
        headers: { ...json, 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/' },
        pieces: [bytesOf(JSON.stringify({ message: `Slow down, ${key}. ${'x'.repeat(5_000)}` }))],
      }
    case 'error-in-answer':
      return stream
        ? { headers: frames, pieces: [beginning, hello, exceptionFrame('serviceUnavailableException', { message: 'Too many of you' })] }
        : { headers: json, pieces: [bytesOf(JSON.stringify({ __type: 'ServiceUnavailableException', message: 'Too many of you' }))] }
    case 'endless':
      return { headers: frames, pieces: [beginning, hello], end: 'hold' }
    default:
      return { headers: frames, pieces: [], end: 'hold' }
  }
}

const otherExpectations: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
  'one-piece': text.expected,
}

/** Vectors as the models of Cohere give them there. */
function playVectors(body: string): Replay {
  const { texts } = JSON.parse(body) as { readonly texts: readonly string[] }
  const headers = { 'content-type': 'application/json', 'x-amzn-bedrock-input-token-count': '8' }
  return { headers, pieces: [bytesOf(JSON.stringify({ id: 'answer-1', embeddings: { float: playEmbeddings(texts) }, texts }))] }
}

/** A local server that plays a scenario of the contract suite in the Converse protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ url, body }) => {
    if (scenario === 'embed') return playVectors(body)
    const isAnswered = scenario === 'opaque' && body.includes('"toolResult"')
    return replayOf(isAnswered ? 'text' : scenario, url.endsWith('/converse-stream'))
  })
  return {
    connection: { handle: 'work', brand: 'amazon-bedrock', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'amazon-bedrock-converse',
    model: 'anthropic.claude-test-v1:0',
    embeddingModel: 'eu.cohere.embed-v4:0',
    expected: answers[scenario]?.expected ?? otherExpectations[scenario] ?? {},
    calls: () => server.seen.length,
    bodies: () => server.seen.map(({ body }) => body),
    idle: async () => {
      await Promise.all(server.seen.map(({ ended }) => ended))
    },
    close: () => server.close(),
  }
}
