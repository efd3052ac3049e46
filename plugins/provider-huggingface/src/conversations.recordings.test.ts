import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, ModelMessage, ModelTool, TextPart, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type Recording, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

/** Intended differences from the recordings. Each is undone on both sides before the comparison. */
const differences = {
  'no empty members': 'The recording client sends members that are null, and an empty list of tools. Absent ones mean the same.',
  'no stream: false': 'A plain answer is the default of every provider, so the member is absent here.',
} as const

interface RecordedMessage {
  readonly role: 'user'
  readonly content:
    | string
    | readonly { readonly type: string; readonly text?: string | null; readonly image_url?: { readonly url: string } | null }[]
}

const partsOf = (content: RecordedMessage['content']): readonly (TextPart | ImagePart)[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((part) =>
        part.type === 'text'
          ? { type: 'text', text: part.text ?? '' }
          : { type: 'image', media_type: 'image/jpeg', url: part.image_url?.url ?? '' },
      )

/** A body without the intended differences. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const isEmpty = (member: unknown): boolean => member === null || (Array.isArray(member) && member.length === 0)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isEmpty(member) && !(name === 'stream' && member === false))
      .map(([name, member]) => [name, comparable(member)]),
  )
}

describe('requests as they were recorded', () => {
  const adapter = createTestAdapter()
  const recordings = openProviderRecordings(process.env['FIXTURES_DIR']).below('openai-compat/huggingface')
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const call = async (recording: Recording, changes: Parameters<typeof requestTo>[1]) => {
    replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
    const outcome = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface', stream: false, ...changes }))
    return { ...outcome, sent: JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject }
  }

  it('exist, and each difference has a reason', () => {
    expect(recordings.filter(({ request }) => request !== undefined)).to.have.length.greaterThan(3)
    for (const reason of Object.values(differences)) expect(reason).to.match(/\.$/)
  })

  for (const recording of recordings) {
    it(`${recording.name}: the same history makes the same body, field by field`, async () => {
      const recorded = recording.request as unknown as {
        readonly model: string
        readonly messages: readonly RecordedMessage[]
        readonly tools: readonly { readonly function: ModelTool }[]
        readonly tool_choice?: ToolChoice
        readonly max_tokens?: number
      }
      const { sent } = await call(recording, {
        model: recorded.model,
        messages: recorded.messages.map(({ role, content }): ModelMessage => ({ role, content: partsOf(content) })),
        tools: recorded.tools.map((tool) => tool.function),
        ...(recorded.tool_choice !== undefined && { toolChoice: recorded.tool_choice }),
        settings: { ...(recorded.max_tokens !== undefined && { max_tokens: recorded.max_tokens }) },
      })
      expect(comparable(sent)).to.deep.equal(comparable(recorded))
    })

    it(`${recording.name}: its answer goes back with its calls and text, without its reasoning`, async () => {
      const { finished } = await call(recording, {})
      const { sent } = await call(recording, { messages: [{ role: 'assistant', content: finished?.content ?? [] }] })
      const { choices } = recording.documents[0] as unknown as {
        readonly choices: readonly {
          readonly message: { readonly content: string; readonly tool_calls: readonly (JsonObject & { readonly function: JsonObject })[] }
        }[]
      }
      const [message] = choices.map((choice) => choice.message)
      const text = message?.content.startsWith('<think>') ? '' : (message?.content ?? '')
      const calls = (message?.tool_calls ?? []).map(({ index: _, ...made }) => ({
        ...made,
        function: { ...made.function, arguments: JSON.stringify(JSON.parse(String(made.function['arguments']))) },
      }))
      const expected =
        text === '' && calls.length === 0 ? [] : [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
      expect(sent['messages']).to.deep.equal(expected)
    })
  }
})
