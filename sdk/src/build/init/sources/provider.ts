import { snakeCaseOf, wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A vendor with a protocol of its own, and a server of it for the test. */
export const providerSources = (id: string): PluginSources => {
  const word = snakeCaseOf(wordOf(id, 'provider'))
  return {
    index: indexText(id, word),
    test: testText(word),
  }
}

const indexText = (id: string, word: string): string => `import { definePlugin, type JsonObject, Type } from '@agent-service/sdk'
import {
  defineProviderAdapter,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelUsage,
  providerAdapters,
  providerError,
  type StopReason,
} from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  callModel,
  createModelClient,
  endpointUrl,
  mergeExtraParameters,
  type ModelClient,
  numberAt,
  pushDelta,
  textAt,
} from '@agent-service/sdk/provider-kit'

const protocol = '${word}'

/** The vendor’s protocol: a post to /answers, answered with one object or with lines of JSON. */
export const createAdapter = (client: ModelClient) =>
  defineProviderAdapter({
    id: 'adapter_${word}',
    protocols: [{ id: protocol, aliases: [], settings: Type.Object({}), protectedPaths: ['model', 'messages'], protectedStructuredPaths: [] }],
    // Add \`tools: true\` here, what it means below, and the scenario \`tool-call\` to the test.
    supports: { streaming: true },
    async *call(request, { signal }) {
      signal.throwIfAborted()
      const problem = problemOf(request)
      if (problem !== undefined) throw refusal(request, problem)
      const { baseUrl, apiKey } = request.connection
      yield* callModel(request, {
        signal,
        client,
        prepare: () => ({
          url: endpointUrl(baseUrl, '/answers'),
          headers: apiKey === undefined ? {} : { authorization: \`Bearer \${apiKey}\` },
          body: JSON.stringify(bodyOf(request)),
        }),
        createAssembler: () => createAssembler(request.model),
      })
    },
  })

function problemOf({ protocol: wanted, extraParams }: ModelRequest): string | undefined {
  if (wanted !== protocol) return \`The protocol “\${wanted}” is not supported here. Use \${protocol}.\`
  const touched = ['model', 'messages'].find((name) => name in extraParams)
  return touched === undefined ? undefined : \`The extra parameter “\${touched}” is set by the service.\`
}

const refusal = ({ connection, model }: ModelRequest, reason: string): Error =>
  providerError.create({ failure: 'bad_request', retryable: false, connection: connection.handle, model, reason })

function bodyOf({ model, messages, settings, extraParams, stream }: ModelRequest): JsonObject {
  const { max_tokens, temperature } = settings
  const body: JsonObject = {
    model,
    stream,
    messages: messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(temperature !== undefined && { temperature }),
  }
  return mergeExtraParameters(body, extraParams)
}

const textOf = (content: ModelMessage['content']): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\\n')

/** Lines \`{"text":"Hello"}\`, then \`{"stop":"end","usage":{"in":3,"out":1}}\`; or all of it as one object. \`error\` may stand in both. */
function createAssembler(model: string): AnswerAssembler {
  let text = ''
  let stop: string | undefined
  let usage: ModelUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: true }
  let started = false
  const add = (data: unknown, events: ModelEvent[]): void => {
    const error = textAt(data, 'error')
    if (error !== undefined) throw callFailure({ failure: 'overloaded', retryable: true, reason: error })
    if (!started) events.push({ type: 'response.started', model })
    started = true
    const piece = textAt(data, 'text') ?? ''
    text += piece
    pushDelta(events, { type: 'text.delta', part: 0, text: piece })
    stop = textAt(data, 'stop') ?? stop
    const counts = (data as JsonObject)['usage']
    const [input, output] = [numberAt(counts, 'in'), numberAt(counts, 'out')]
    if (input !== undefined && output !== undefined)
      usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: output, reasoning_tokens: 0 }
  }
  return {
    add: ({ data }, events) => add(data, events),
    addWhole: add,
    isWhole: (document) => 'text' in document && 'stop' in document,
    get stopped() {
      return stop !== undefined
    },
    get ended() {
      return stop !== undefined
    },
    finish: () => ({
      type: 'response.finished',
      content: text === '' ? [] : [{ type: 'text', text }],
      stop_reason: stopReasons[stop ?? ''] ?? 'other',
      usage,
    }),
  }
}

const stopReasons: Readonly<Record<string, StopReason>> = { end: 'stop', length: 'length' }

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['provider.adapter'] },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    context.contribute(providerAdapters, createAdapter(client))
  },
})
`

const testText = (word: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import type { JsonObject } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import {
  bytesOf,
  createTestContext,
  describeProviderAdapter,
  type ExpectedAnswer,
  type ProviderScenario,
  type ProviderUpstream,
  type Replay,
  startReplayServer,
} from '@agent-service/sdk/testing'
import plugin, { createAdapter } from './index.js'

const client = createModelClient()
runner.after(() => client.close())

// Every rule of the contract, against a local server that speaks the vendor’s protocol.
describeProviderAdapter({
  name: '${word}',
  create: () => createAdapter(client),
  scenarios: ['text', 'one-piece', 'cut-text', 'error', 'error-in-answer', 'silent', 'endless'],
  upstream: startVendor,
  runner,
})

const apiKey = 'key-of-the-test-0123456789'
const json = { 'content-type': 'application/json' }
const lines = { 'content-type': 'application/x-ndjson' }
const line = (data: JsonObject): Uint8Array => bytesOf(\`\${JSON.stringify(data)}\\n\`)

const end = { stop: 'end', usage: { in: 11, out: 7 } }
const whole: Replay = { headers: json, pieces: [line({ text: 'Hello, wörld 👋!', ...end })] }
const streamed: Replay = { headers: lines, pieces: [line({ text: 'Hello, ' }), line({ text: 'wörld 👋!' }), line(end)] }

/** What the vendor sends in each scenario. */
function replayOf(scenario: ProviderScenario, stream: boolean): Replay {
  if (scenario === 'text') return stream ? streamed : whole
  if (scenario === 'one-piece') return whole
  const hello = line({ text: 'Hello, ' })
  if (scenario === 'cut-text') return { headers: lines, pieces: [hello], end: 'destroy' }
  if (scenario === 'endless') return { headers: lines, pieces: [hello], end: 'hold' }
  if (scenario === 'error') return { status: 429, headers: json, pieces: [line({ error: \`Slow down, \${apiKey}. \${'x'.repeat(5_000)}\` })] }
  if (scenario === 'error-in-answer') return { headers: lines, pieces: [...(stream ? [hello] : []), line({ error: 'too much to do' })] }
  return { pieces: [], unanswered: 'hold' }
}

const answer: ExpectedAnswer = {
  text: 'Hello, wörld 👋!',
  stopReason: 'stop',
  usage: { input_tokens: 11, cached_input_tokens: 0, output_tokens: 7, reasoning_tokens: 0 },
}
const expected: Readonly<Partial<Record<ProviderScenario, ExpectedAnswer>>> = {
  text: answer,
  'one-piece': answer,
  'cut-text': { text: 'Hello, ' },
  error: { failure: 'rate_limited', retryable: true },
  'error-in-answer': { text: 'Hello, ', failure: 'overloaded' },
}

async function startVendor(scenario: ProviderScenario): Promise<ProviderUpstream> {
  const server = await startReplayServer(({ body }) => replayOf(scenario, (JSON.parse(body) as { stream: boolean }).stream))
  return {
    connection: { handle: 'work', brand: '${word}', baseUrl: server.baseUrl, apiKey, quirks: {} },
    protocol: '${word}',
    model: 'model-1',
    expected: expected[scenario] ?? {},
    calls: () => server.seen.length,
    bodies: () => server.seen.map(({ body }) => body),
    idle: async () => void (await Promise.all(server.seen.map(({ ended }) => ended))),
    close: () => server.close(),
  }
}

runner.it('offers its protocol', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const [adapter] = test.contributed(providerAdapters)
  assert.deepEqual(adapter?.protocols.map(({ id }) => id), ['${word}'])
  await test.dispose()
})
`
