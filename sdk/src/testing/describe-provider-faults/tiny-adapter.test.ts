import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { ModelEvent } from '../../contracts/provider-adapter/events.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { Type } from '../../core/type.js'
import {
  type AnswerAssembler,
  callFailure,
  callModel,
  createModelClient,
  endpointUrl,
  pushDelta,
  textAt,
} from '../../provider-kit/index.js'
import { bytesOf } from '../replay/index.js'
import type { FaultWire } from './index.js'

/**
 * A minimal protocol over HTTP: events `{text}`, `{call}` (arguments are never complete),
 * `{error}`, `{end: true}`.
 */
export const event = (data: unknown): Uint8Array => bytesOf(`data: ${JSON.stringify(data)}\n\n`)

export const tinyWire: FaultWire = {
  contentType: 'text/event-stream',
  text: event({ text: 'Hello, ' }),
  end: Buffer.concat([event({ text: 'world' }), event({ end: true })]),
  halfCall: event({ call: '{"a":' }),
  overloaded: event({ error: 'overloaded' }),
  noMoney: event({ error: 'quota_exceeded' }),
  errorBody: (words) => JSON.stringify({ message: words }),
  whole: JSON.stringify({ text: 'Hello, world' }),
}

export interface TinyFaults {
  readonly assembler?: (good: AnswerAssembler) => AnswerAssembler
  /** What it sends. Default: nothing of the request. */
  readonly bodyOf?: (request: ModelRequest) => unknown
}

/** A correct adapter of it, and its faults. */
export function createTinyAdapter(broken: TinyFaults = {}): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  return {
    specVersion: 1,
    id: 'adapter_tiny',
    name: 'tiny',
    protocols: [{ id: 'tiny', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      ...{ streaming: true, tools: false, toolChoice: false, images: false, files: false },
      ...{ reasoning: false, opaqueParts: false, structuredOutput: false },
    },
    call: (request, { signal }) =>
      callModel(request, {
        signal,
        client,
        prepare: () => ({
          url: endpointUrl(String(request.connection.quirks['at'] ?? request.connection.baseUrl), '/tiny'),
          headers: {},
          body: JSON.stringify(broken.bodyOf?.(request) ?? {}),
        }),
        createAssembler: () => broken.assembler?.(createTinyAssembler()) ?? createTinyAssembler(),
      }),
  }
}

function createTinyAssembler(): AnswerAssembler {
  let text = ''
  let stopped = false
  const add = (data: unknown, events: ModelEvent[]): void => {
    const error = textAt(data, 'error')
    if (error !== undefined)
      throw callFailure({
        failure: error === 'overloaded' ? 'overloaded' : 'quota_exceeded',
        retryable: error === 'overloaded',
        reason: error,
      })
    text += textAt(data, 'text') ?? ''
    pushDelta(events, { type: 'text.delta', part: 0, text: textAt(data, 'text') ?? '' })
    stopped ||= (data as { readonly end?: unknown }).end === true
  }
  return {
    get stopped() {
      return stopped
    },
    get ended() {
      return stopped
    },
    add: ({ data }, events) => add(data, events),
    addWhole: add,
    finish: () => ({
      type: 'response.finished',
      content: text === '' ? [] : [{ type: 'text', text }],
      stop_reason: 'stop',
      usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    }),
  }
}

/** An assembler with some members replaced; its getters stay. */
export const changed = (good: AnswerAssembler, changes: (good: AnswerAssembler) => Partial<AnswerAssembler>): AnswerAssembler =>
  Object.create(good, Object.getOwnPropertyDescriptors(changes(good))) as AnswerAssembler
