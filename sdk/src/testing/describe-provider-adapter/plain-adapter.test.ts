import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { EmbeddingRequest, EmbeddingResult } from '../../contracts/provider-adapter/embedding.js'
import { type ProviderFailure, providerError } from '../../contracts/provider-adapter/errors.js'
import type { ModelEvent } from '../../contracts/provider-adapter/events.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { Type } from '../../core/type.js'
import { type ProviderScenario, type ProviderUpstream, playEmbeddings } from './index.js'

/**
 * An adapter that keeps the contract, and an upstream in memory that tracks open calls: the model's
 * name is the scenario.
 */
export interface PlainUpstream extends ProviderUpstream {
  open(body: string): void
  end(): void
  /** From now on calls never end. */
  leak(): void
}

const usage = { input_tokens: 5, cached_input_tokens: 1, output_tokens: 3, reasoning_tokens: 0 }
const vendor = 'plain:model'
const zones = ['Europe/Berlin', 'Asia/Tokyo']

export function createPlainUpstream(scenario: ProviderScenario, upstreams: PlainUpstream[]): PlainUpstream {
  const bodies: string[] = []
  let open = 0
  let leaking = false
  const waiting = new Set<() => void>()
  const expected = {
    ...((scenario === 'text' || scenario === 'one-piece') && {
      text: 'Hello, world',
      stopReason: 'stop' as const,
      usage,
      models: ['text', 'reasoning'],
    }),
    ...(scenario === 'cut-text' && { text: 'Hello, ' }),
    ...(scenario === 'error-in-answer' && { text: 'Hello, ', failure: 'overloaded' as const }),
    ...(scenario === 'reasoning' && { text: 'Done', reasoning: 'Hm', usage }),
    ...(scenario === 'tool-call' && { toolCalls: callsOf(1), usage }),
    ...(scenario === 'parallel-calls' && { toolCalls: callsOf(2), usage }),
    ...(scenario === 'error' && { failure: 'rate_limited' as const, retryable: true }),
  }
  const upstream: PlainUpstream = {
    connection: { handle: 'plain', brand: 'plain', baseUrl: '', apiKey: 'key-of-the-suite', quirks: {} },
    protocol: 'plain',
    model: scenario,
    expected,
    calls: () => bodies.length,
    bodies: () => bodies,
    idle: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.add(resolve))),
    close: () => Promise.resolve(void upstreams.splice(upstreams.indexOf(upstream), 1)),
    open(body) {
      bodies.push(body)
      open += 1
    },
    end() {
      if (leaking) return
      open -= 1
      if (open === 0) for (const resolve of waiting) resolve()
    },
    leak() {
      leaking = true
    },
  }
  upstreams.push(upstream)
  return upstream
}

const callsOf = (count: number) => zones.slice(0, count).map((timezone) => ({ name: 'get_time', arguments: { timezone } }))

export function createPlainAdapter(upstreams: readonly PlainUpstream[]): ProviderAdapter {
  return {
    specVersion: 1,
    id: 'adapter_plain',
    name: 'plain',
    protocols: [{ id: 'plain', aliases: ['simple'], settings: Type.Object({}), protectedPaths: ['model'], protectedStructuredPaths: [] }],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: true,
      images: true,
      files: true,
      reasoning: true,
      opaqueParts: true,
      structuredOutput: true,
      strictTools: true,
      strictSchemas: true,
      jsonObject: true,
      parallelToolCalls: true,
      logprobs: true,
      logitBias: true,
      messageNames: true,
      imageDetail: true,
      embed: true,
      listModels: true,
    },
    async *call(request, { signal }) {
      signal.throwIfAborted()
      if (request.protocol !== 'plain') throw failure(request, 'bad_request', false)
      if ('model' in request.extraParams) throw failure(request, 'bad_request', false)
      const upstream = upstreams.at(-1)
      upstream?.open(bodyOf(request))
      try {
        yield* play(request, signal)
      } finally {
        upstream?.end()
      }
    },
    async listModels(_, { signal }) {
      signal.throwIfAborted()
      return [{ id: 'text' }, { id: 'reasoning' }]
    },
    async embed(request, { signal }) {
      signal.throwIfAborted()
      const { inputs, dimensions } = request
      const isRefused = inputs.length === 0 || inputs.some((input) => input.trim() === '') || dimensions === 0
      if (isRefused || request.protocol !== 'plain') throw failure(request, 'bad_request', false)
      const upstream = upstreams.at(-1)
      upstream?.open(JSON.stringify(inputs))
      try {
        return { ...vectorsFor(request, await played(request, signal)), model: request.model, usage: { input_tokens: inputs.length } }
      } finally {
        upstream?.end()
      }
    },
  }
}

async function played({ inputs, model, ...request }: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingResult['vectors']> {
  if (model === 'error') throw failure({ ...request, model }, 'rate_limited', true)
  if (model !== 'silent') return playEmbeddings(inputs)
  await wait(request.timeouts.firstTokenMs, signal)
  throw failure({ ...request, model }, 'timeout', true)
}

function vectorsFor(request: EmbeddingRequest, vectors: EmbeddingResult['vectors']): Pick<EmbeddingResult, 'vectors'> {
  const length = request.dimensions ?? vectors[0]?.length
  if (vectors.length === request.inputs.length && vectors.every((vector) => vector.length === length)) return { vectors }
  throw failure(request, 'invalid_response', false)
}

/** What reaches the upstream: the request without the opaque data of other vendors. */
const bodyOf = ({ model, messages, tools, toolChoice, responseSchema, settings, extraParams, ...request }: ModelRequest): string =>
  JSON.stringify({
    ...{ model, tools, toolChoice, responseSchema, ...settings, ...extraParams },
    ...{ jsonObject: request.jsonObject, parallelToolCalls: request.parallelToolCalls },
    ...{ logprobs: request.logprobs, logitBias: request.logitBias },
    messages: messages.map(({ content, ...message }) => ({
      ...message,
      content: content.map((part) => ('opaque' in part && part.opaque?.vendor !== vendor ? { ...part, opaque: undefined } : part)),
    })),
  })

const failure = (request: Pick<ModelRequest, 'connection' | 'model'>, kind: ProviderFailure, retryable: boolean) =>
  providerError.create({ failure: kind, retryable, connection: request.connection.handle, model: request.model, reason: `It is ${kind}.` })

async function* play(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
  const { model, timeouts } = request
  if (model === 'error') throw failure(request, 'rate_limited', true)
  if (model === 'silent') {
    await wait(timeouts.firstTokenMs, signal)
    throw failure(request, 'timeout', true)
  }
  yield { type: 'response.started', ...(model === 'one-piece' && { in_one_piece: true as const }) }
  if (model === 'opaque' && request.messages.at(-1)?.role !== 'tool') return yield* playCalls(1, 'sealed by its vendor, for its vendor')
  if (model === 'tool-call' || model === 'parallel-calls') return yield* playCalls(model === 'tool-call' ? 1 : 2)
  if (model === 'reasoning') yield { type: 'reasoning.delta', part: 0, text: 'Hm' }
  const part = model === 'reasoning' ? 1 : 0
  const pieces = model === 'reasoning' ? ['Done'] : ['Hello, ', 'world']
  for (const text of pieces) {
    if (model === 'cut-tool-call') break
    yield { type: 'text.delta', part, text }
    if (model === 'cut-text') break
    if (model === 'error-in-answer') throw failure(request, 'overloaded', true)
    if (model === 'endless') {
      await wait(Math.min(timeouts.idleMs, timeouts.totalMs), signal)
      throw failure(request, 'timeout', true)
    }
  }
  if (model.startsWith('cut')) throw failure(request, 'truncated', true)
  const text = { type: 'text', text: pieces.join('') } as const
  yield {
    type: 'response.finished',
    content: model === 'reasoning' ? [{ type: 'reasoning', text: 'Hm' }, text] : [text],
    stop_reason: 'stop',
    usage,
  }
}

async function* playCalls(count: number, seal?: string): AsyncGenerator<ModelEvent, void, undefined> {
  const calls = callsOf(count)
  for (const [part, call] of calls.entries()) {
    yield { type: 'tool_call.started', part, provider_call_id: `call_${part}`, name: call.name }
    yield { type: 'tool_call.delta', part, arguments_text: JSON.stringify(call.arguments) }
  }
  const content = calls.map(
    (call, part) => ({ type: 'tool_call', call_id: `call_${part}`, provider_call_id: `call_${part}`, ...call }) as const,
  )
  const sealed = content.map((part) => ({ ...part, ...(seal !== undefined && { opaque: { vendor, data: { seal } } }) }))
  yield { type: 'response.finished', content: sealed, stop_reason: 'tool_calls', usage }
}

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
