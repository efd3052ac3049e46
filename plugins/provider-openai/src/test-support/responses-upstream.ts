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
import { added, callItem, completed, created, itemEvents, messageItem, responseEvent, textDelta, wholeResponse } from './responses-wire.js'

const key = 'sk-contract-key-0123456789'
const expectedUsage = { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 0 }
const reasoningItem: JsonObject = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Let me think.' }],
  encrypted_content: 'gAAAA+/ünreadable by others==',
}
const wireCall = (id: string, timezone: string): JsonObject => callItem(id, 'get_time', JSON.stringify({ timezone }))
const call = (timezone: string) => ({ name: 'get_time', arguments: { timezone } })

const answers: Readonly<Partial<Record<ProviderScenario, readonly JsonObject[]>>> = {
  text: [messageItem('Hello, wörld 👋!')],
  'tool-call': [wireCall('call_1', 'Europe/Berlin')],
  'parallel-calls': [wireCall('call_1', 'Europe/Berlin'), wireCall('call_2', 'Asia/Tokyo')],
  reasoning: [reasoningItem, messageItem('Done.')],
  opaque: [reasoningItem, wireCall('call_1', 'Europe/Berlin')],
}

const expectations: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  text: { text: 'Hello, wörld 👋!', stopReason: 'stop', usage: expectedUsage },
  'one-piece': { text: 'Hello, wörld 👋!', stopReason: 'stop', usage: expectedUsage },
  'tool-call': { toolCalls: [call('Europe/Berlin')] },
  'parallel-calls': { toolCalls: [call('Europe/Berlin'), call('Asia/Tokyo')] },
  reasoning: { reasoning: 'Let me think.', text: 'Done.' },
  opaque: { toolCalls: [call('Europe/Berlin')] },
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
}

const json = (body: JsonObject, status = 200): Replay => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify(body))],
})
const begun = [created, added(0, { ...messageItem(''), status: 'in_progress', content: [] }), textDelta(0, 'Hello, ')].map(responseEvent)

function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  const output = answers[scenario === 'one-piece' ? 'text' : scenario]
  if (output && (!stream || scenario === 'one-piece')) return json(wholeResponse(output))
  if (output) {
    const items = output.flatMap((item, index) => itemEvents(index, item))
    return { pieces: [created, ...items, completed(output)].map(responseEvent) }
  }
  switch (scenario) {
    case 'cut-text':
      return { pieces: begun, end: 'destroy' }
    case 'cut-tool-call': {
      const half = itemEvents(0, wireCall('call_1', 'Europe/Berlin')).slice(0, 4)
      return { pieces: [created, ...half].map(responseEvent) }
    }
    case 'error':
      return json({ error: { message: `Slow down, ${key}. ${'x'.repeat(5_000)}`, type: 'requests', code: 'rate_limit_exceeded' } }, 429)
    case 'error-in-answer':
      return stream
        ? { pieces: [...begun, responseEvent({ type: 'error', code: 'server_error', message: 'Too many of you' })] }
        : json(wholeResponse([messageItem('Hello, ')], { status: 'failed', error: { code: 'server_error', message: 'Too many of you' } }))
    case 'endless':
      return { pieces: begun, end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

/** Vectors in the protocol, the last one first: each says which it is. */
function playVectors(body: string): Replay {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] }
  const data = playEmbeddings(input).map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const answer = { object: 'list', data: data.reverse(), model: 'model-1', usage: { prompt_tokens: 8, total_tokens: 8 } }
  return { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
}

/** A local server that plays a scenario of the contract suite in the responses protocol. */
export async function startResponsesUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => {
    if (scenario === 'embed') return playVectors(body)
    const { stream, input } = JSON.parse(body) as { readonly stream?: boolean; readonly input: readonly JsonObject[] }
    const isAnswered = scenario === 'opaque' && input.at(-1)?.['type'] === 'function_call_output'
    return replayOf(isAnswered ? 'text' : scenario, stream === true)
  })
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'responses',
    model: 'model-1',
    expected: expectations[scenario] ?? {},
    calls: () => server.seen.length,
    bodies: () => server.seen.map(({ body }) => body),
    idle: async () => {
      await Promise.all(server.seen.map(({ ended }) => ended))
    },
    close: () => server.close(),
  }
}
