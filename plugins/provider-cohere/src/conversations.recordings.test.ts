import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ContentPart, ModelMessage, ModelRequest, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type Recording, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

/** Intended differences from the recordings. Each is undone on both sides before the comparison. */
const differences = {
  'one text as a text': 'A message of one text has it as `content`, the recording client sends a list with one part. Cohere takes both.',
  'no empty text': 'The recording client puts an empty text beside calls. Nothing takes its place here.',
  'reasoning goes back': 'The recording client drops the thinking parts and the plan of its assistant turns. Cohere wants them back.',
  'results as text': 'The recording client made a document of a result for its citations. Results are texts here.',
  'arguments written again': 'Arguments are parsed and written again. Only blanks between them differ.',
} as const

describe('requests as they were recorded', () => {
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  const recordings = library.below('cohere-v2-chat').filter((recording) => recording.request !== undefined)
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const sentFor = async (recording: Recording, messages: readonly ModelMessage[]): Promise<JsonObject> => {
    replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
    await outcomeOf(adapter, requestFrom(server.baseUrl, recording, messages))
    return JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject
  }

  it('exist, and each difference has a reason', () => {
    expect(recordings.length).to.be.greaterThan(8)
    for (const reason of Object.values(differences)) expect(reason).to.match(/\.$/)
  })

  for (const recording of recordings) {
    it(`${recording.name}: the same history makes the same body, field by field`, async () => {
      const sent = await sentFor(recording, messagesIn(recording).map(messageOf))
      expect(comparable(sent)).to.deep.equal(comparable(recording.request ?? {}))
    })
  }

  it('the second request of a conversation has the first answer in it, its thinking byte for byte', async () => {
    const name = 'ruby--citations-with-cohere-command-a-plus-05-2026-cites-tool-results-returned-as-search-results'
    const first = library.at(`cohere-v2-chat/${name}.0.response.json`)
    const second = library.at(`cohere-v2-chat/${name}.1.response.json`)
    replay = { headers: { 'content-type': first.contentType }, pieces: [first.bytes] }
    const history = messagesIn(first).map(messageOf)
    const { finished } = await outcomeOf(adapter, requestFrom(server.baseUrl, first, history))
    const content = finished?.content ?? []
    const [call] = content.filter((part) => part.type === 'tool_call')
    const result = messageOf(messagesIn(second)[2] ?? {})
    const sent = await sentFor(second, [...history, { role: 'assistant', content }, result])
    expect(comparable(sent)).to.deep.equal(comparable(second.request ?? {}))
    const answered = (first.documents[0] as { readonly message: JsonObject }).message
    const echoed = (sent['messages'] as readonly JsonObject[])[1] ?? {}
    expect(echoed['content']).to.deep.equal(answered['content'])
    expect(JSON.stringify(echoed['content'])).to.equal(JSON.stringify(answered['content']))
    expect(call?.provider_call_id).to.be.a('string')
    expect(echoed['tool_calls']).to.have.nested.property('[0].id', call?.provider_call_id)
  })

  for (const file of [
    'vercel--cohere-tool-call.json',
    'vercel--cohere-tool-call.chunks.txt',
    'vercel--cohere-empty-tool-call.chunks.txt',
  ]) {
    it(`${file}: its plan goes back as it came`, async () => {
      const recording = library.at(`cohere-v2-chat/${file}`)
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      const { finished, reasoning } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'cohere-chat' }))
      await outcomeOf(
        adapter,
        requestTo(server.baseUrl, { protocol: 'cohere-chat', messages: [{ role: 'assistant', content: finished?.content ?? [] }] }),
      )
      const { messages } = JSON.parse(server.seen.at(-1)?.body ?? '{}') as { readonly messages: readonly JsonObject[] }
      expect(reasoning).to.have.length.greaterThan(20)
      expect(messages[0]?.['tool_plan']).to.equal(reasoning)
    })
  }
})

const messagesIn = ({ request }: Recording): readonly JsonObject[] => (request?.['messages'] ?? []) as readonly JsonObject[]

/** The request of a recording. */
function requestFrom(baseUrl: string, recording: Recording, messages: readonly ModelMessage[]): ModelRequest {
  const { model, messages: _, tools, stream, ...extraParams } = recording.request ?? {}
  return requestTo(baseUrl, {
    protocol: 'cohere-chat',
    model: String(model),
    messages,
    tools: ((tools ?? []) as unknown as readonly { readonly function: ModelTool }[]).map((tool) => tool.function),
    stream: stream === true,
    extraParams,
  })
}

function messageOf(message: JsonObject): ModelMessage {
  const text = textOf(message['content'])
  const parts: ContentPart[] = text === '' ? [] : [{ type: 'text', text }]
  const name = 'whatever'
  switch (message['role']) {
    case 'tool': {
      const id = String(message['tool_call_id'])
      return {
        role: 'tool',
        content: [{ type: 'tool_result', call_id: 'ours', provider_call_id: id, name, content: [{ type: 'text', text }] }],
      }
    }
    case 'assistant': {
      const calls = (message['tool_calls'] ?? []) as readonly {
        readonly id: string
        readonly function: { readonly name: string; readonly arguments: string }
      }[]
      const made = calls.map((call) => ({
        type: 'tool_call' as const,
        call_id: 'ours',
        provider_call_id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments) as JsonObject,
      }))
      return { role: 'assistant', content: [...(parts as readonly { readonly type: 'text'; readonly text: string }[]), ...made] }
    }
    default:
      return { role: message['role'] === 'system' ? 'system' : 'user', content: [{ type: 'text', text }] }
  }
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return ((content ?? []) as readonly JsonObject[])
    .map((part) => (part['type'] === 'text' ? String(part['text']) : part['type'] === 'document' ? JSON.stringify(part['document']) : ''))
    .join('')
}

/** A body without the intended differences. */
function comparable(body: JsonObject): JsonObject {
  const messages = (body['messages'] as readonly JsonObject[]).map(({ content, tool_plan: _, tool_calls: calls, ...message }) => ({
    ...message,
    text: textOf(content),
    ...(calls !== undefined && {
      tool_calls: (calls as readonly { readonly function: { readonly arguments: string } }[]).map((call) => ({
        ...call,
        function: { ...call.function, arguments: JSON.parse(call.function.arguments) as JsonValue },
      })),
    }),
  }))
  return { ...body, messages } as JsonObject
}
