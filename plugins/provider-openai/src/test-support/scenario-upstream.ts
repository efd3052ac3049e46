import type { JsonObject } from '@agent-service/sdk'
import type { ExpectedAnswer, ProviderScenario, ProviderUpstream } from '@agent-service/sdk/testing'
import { bytesOf, type Replay, startReplayServer } from './replay-server.js'

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 3 } }
const expectedUsage = { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 0 }
const key = 'sk-contract-key-0123456789'

interface Played {
  /** The message of the answer, as one piece has it. */
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
  const played = answers[scenario]
  if (played && stream) {
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
    case 'endless':
      return { pieces: [deltaEvent({ content: 'Hello' })], end: 'hold' }
    default:
      return { pieces: [], end: 'hold' }
  }
}

/** A local server that plays a scenario of the contract suite in the completions protocol. */
export async function startScenarioUpstream(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) =>
    replayOf(scenario, (JSON.parse(body) as { readonly stream?: boolean }).stream === true),
  )
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl: server.baseUrl, apiKey: key, quirks: {} },
    protocol: 'completions',
    model: 'model-1',
    expected: answers[scenario]?.expected ?? (scenario === 'cut-text' ? { text: 'Hello, ' } : { failure: 'rate_limited', retryable: true }),
    calls: () => server.seen.length,
    idle: async () => {
      await Promise.all(server.seen.map(({ ended }) => ended))
    },
    close: () => server.close(),
  }
}
