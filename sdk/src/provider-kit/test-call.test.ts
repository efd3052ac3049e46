import type { ModelEvent, ProviderAdapter } from '../contracts/provider-adapter/index.js'
import { Type } from '../core/type.js'
import {
  bytesOf,
  type CallOutcome,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  startReplayServer,
} from '../testing/replay/index.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { callModel } from './call-model.js'
import { createCompletionsAssembler } from './completions/assemble-answer.js'
import { endpointUrl } from './send-post.js'
import type { StreamReader } from './streams/stream-reader.js'
import { createModelClient } from './transport/model-client.js'

/** Calls of an adapter made of the kit alone, against a server whose answer a test sets. */
export interface TestCalls {
  /** The answer of the next calls. */
  answer(replay: Replay): void
  outcome(changes?: Parameters<typeof requestTo>[1]): Promise<CallOutcome>
  /** The outcome of a body, one byte at a time if wished. */
  outcomeOfBody(body: string | Uint8Array, type: string | undefined, more?: Partial<Replay>): Promise<CallOutcome>
  /** The events as they come. */
  events(changes?: Parameters<typeof requestTo>[1]): AsyncIterable<ModelEvent>
}

/** Makes the adapter and its server inside a `describe`. */
export function testCalls(
  createAssembler: (request: Parameters<ProviderAdapter['call']>[0]) => AnswerAssembler = (request) =>
    createCompletionsAssembler({ vendor: 'test', request, echoesReasoning: false }),
  streams: Readonly<Record<string, () => StreamReader>> = {},
): TestCalls {
  const client = createModelClient()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(async () => {
    await client.close()
    await server.close()
  })
  const adapter: ProviderAdapter = {
    specVersion: 1,
    id: 'adapter_test',
    name: 'test',
    protocols: [{ id: 'completions', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      ...{ streaming: true, tools: true, toolChoice: false, images: false, files: false },
      ...{ reasoning: false, opaqueParts: false, structuredOutput: false },
    },
    call: (request, { signal }) =>
      callModel(request, {
        signal,
        client,
        prepare: () => ({ url: endpointUrl(request.connection.baseUrl, '/chat'), headers: {}, body: '{}' }),
        createAssembler: () => createAssembler(request),
        streams,
      }),
  }
  const calls: TestCalls = {
    answer: (next) => {
      replay = next
    },
    outcome: (changes = {}) => outcomeOf(adapter, requestTo(server.baseUrl, changes)),
    outcomeOfBody(body, type, more = {}) {
      const bytes = typeof body === 'string' ? bytesOf(body) : body
      // An empty type is one that no endpoint means.
      replay = { headers: { 'content-type': type ?? '' }, pieces: [bytes], ...more }
      return calls.outcome()
    },
    events: (changes = {}) => adapter.call(requestTo(server.baseUrl, changes), { signal: new AbortController().signal }),
  }
  return calls
}

/** Each byte in a piece of its own. */
export const singleBytes = (text: string | Uint8Array): readonly Uint8Array[] => {
  const bytes = typeof text === 'string' ? bytesOf(text) : text
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
}
