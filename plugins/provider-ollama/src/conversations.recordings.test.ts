import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type Recording, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

/** Intended differences from the recordings. Each is undone on both sides before the comparison. */
const differences = {
  'no empty members':
    'One recording client sends empty members (`format: ""`, `options: {}`, `keep_alive: null`). Absent ones mean the same.',
  'a schema in words beside tools':
    'One recording client sends `format` beside tools, and the model invented the answer instead of calling. Here a system message asks for it.',
} as const

const messagesOf = (recording: Recording): readonly JsonObject[] =>
  (recording.documents as readonly { readonly message: JsonObject }[]).map(({ message }) => message)

const hasCallsOrThinking = (recording: Recording): boolean =>
  messagesOf(recording).some((message) => message['thinking'] !== undefined || message['tool_calls'] !== undefined)

describe('requests as they were recorded', () => {
  const adapter = createTestAdapter()
  const recordings = openProviderRecordings(process.env['FIXTURES_DIR'])
    .below('ollama-chat')
    .filter((recording) => recording.request !== undefined)
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  it('exist, and each difference has a reason', () => {
    expect(recordings.length).to.be.greaterThan(8)
    for (const reason of Object.values(differences)) expect(reason).to.match(/\.$/)
  })

  for (const recording of recordings) {
    it(`${recording.name}: the same history makes the same body, field by field`, async () => {
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      const { model, messages, tools, stream, think, options, format } = recording.request as JsonObject & {
        readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[]
        readonly tools?: readonly { readonly function: ModelTool }[]
      }
      await outcomeOf(
        adapter,
        requestTo(server.baseUrl, {
          protocol: 'ollama',
          model: String(model),
          messages: messages.map(({ role, content }): ModelMessage => ({ role, content: [{ type: 'text', text: content }] })),
          tools: (tools ?? []).map((tool) => tool.function),
          stream: stream === true,
          settings: { ...(options as JsonObject), ...(think !== undefined && { think }) },
          ...(typeof format === 'object' && format !== null && { responseSchema: { name: 'n', schema: format as JsonObject } }),
        }),
      )
      const sent = JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject
      expect(comparable(sent)).to.deep.equal(comparable(recording.request ?? {}))
    })
  }

  for (const recording of recordings.filter(hasCallsOrThinking)) {
    it(`${recording.name}: the answer goes back with its thinking and calls as they came`, async () => {
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      const { finished } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))
      const messages: readonly ModelMessage[] = [{ role: 'assistant', content: finished?.content ?? [] }]
      await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama', messages }))
      const sent = (JSON.parse(server.seen.at(-1)?.body ?? '{}') as { readonly messages: readonly JsonObject[] }).messages
      expect(sent).to.deep.equal([joinedMessage(recording)])
    })
  }
})

/** The vendor's message, its pieces joined independently. `index` is not part of a history. */
function joinedMessage(recording: Recording): JsonObject {
  const pieces = messagesOf(recording)
  const text = (name: string): string => pieces.map((piece) => piece[name] ?? '').join('')
  const calls = pieces
    .flatMap(
      (piece) =>
        (piece['tool_calls'] ?? []) as readonly { readonly id: string; readonly function: JsonObject & { readonly index?: number } }[],
    )
    .map(({ id, function: { index: _, ...called } }) => ({ id, function: called }))
  return {
    role: 'assistant',
    content: text('content'),
    ...(text('thinking') !== '' && { thinking: text('thinking') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** A body without the intended differences. */
function comparable(body: JsonObject): JsonObject {
  const { format, options, keep_alive: _, messages, ...rest } = body
  const kept = (messages as readonly JsonObject[]).filter(({ content }) => !String(content).startsWith('Answer, once no tool'))
  const hasOptions = typeof options === 'object' && options !== null && Object.keys(options).length > 0
  return {
    ...rest,
    messages: kept,
    ...(hasOptions && { options }),
    ...(format !== undefined && format !== '' && rest['tools'] === undefined && { format }),
  }
}
