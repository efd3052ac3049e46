import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type Recording, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { type AssistantContent, opaqueTexts, resultOf, turnsBefore, userText } from './test-support/conversation.js'
import { brandOf, completionsRecordings, openProviderRecordings, quirksOf } from './test-support/recordings.js'

/** Intended differences from the recordings. Each is undone on both sides before the comparison. */
const differences = {
  'no text beside calls':
    'A turn that only calls has `null` for its content, as OpenAI itself answers; the recording client writes an empty text.',
  'one text as a text': 'A message of one text has it as `content`; some clients send a list with one part.',
  'no empty reasoning': 'The recording client writes an empty `reasoning_content` for DeepSeek where there was none. Here it is absent.',
  'the role system': 'Instructions have the role `system`, which every brand takes; one client says `developer` to some.',
  'no nulls': 'Members that are `null`, such as an unset tool choice, are left out.',
  'usage is asked for': '`stream_options` goes with every stream if the brand takes it.',
  'no stream: false': '`stream: false` is left out.',
  'arguments written again': 'Arguments are parsed and written again. Only blanks between them differ.',
} as const

describe('requests of the completions protocol as they were recorded', () => {
  const adapter = createTestAdapter()
  const all = completionsRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  const recordings = all.filter(({ request, name }) => request !== undefined && !name.includes('huggingface'))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answered = async (recording: Recording, answers: readonly AssistantContent[]): Promise<AssistantContent> => {
    replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
    const { finished } = await outcomeOf(adapter, requestFrom(server.baseUrl, recording, answers))
    if (!finished) throw new Error(`${recording.name} came to nothing.`)
    return finished.content
  }

  it('exist, and each difference has a reason', () => {
    expect(recordings.length).to.be.greaterThan(38)
    expect(recordings.filter((recording) => isLater(recording, all)).length).to.equal(6)
    for (const reason of Object.values(differences)) expect(reason).to.match(/\.$/)
  })

  for (const recording of recordings) {
    const before = isLater(recording, all) ? turnsBefore(recording, all) : []
    it(`${recording.name}: the same history${before.length > 0 ? ', with what was answered,' : ''} makes the same body`, async () => {
      const answers: AssistantContent[] = []
      for (const turn of before) answers.push(await answered(turn, [...answers]))
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      await outcomeOf(adapter, requestFrom(server.baseUrl, recording, answers))
      const body = server.seen.at(-1)?.body ?? '{}'
      expect(comparable(JSON.parse(body) as JsonObject)).to.deep.equal(comparable(recording.request ?? {}))
      const last = recording.request?.['messages'] as readonly JsonObject[]
      for (const text of answers.slice(0, last.filter(isModel).length).flatMap(opaqueTexts)) expect(body).to.contain(JSON.stringify(text))
    })
  }
})

function isModel(message: JsonObject): boolean {
  return message['role'] === 'assistant'
}

/** True if a recording contains the previous answers. */
function isLater(recording: Recording, all: readonly Recording[]): boolean {
  return turnsBefore(recording, all).length > 0 && ((recording.request?.['messages'] ?? []) as readonly JsonObject[]).some(isModel)
}

/** The request of a recording; each turn of the model is what it answered. */
function requestFrom(baseUrl: string, recording: Recording, answers: readonly AssistantContent[]): ModelRequest {
  const { model, messages, tools, tool_choice: choice, stream, stream_options: _, temperature, ...extraParams } = recording.request ?? {}
  const left = [...answers]
  const request = requestTo(baseUrl, {
    model: String(model),
    messages: ((messages ?? []) as readonly JsonObject[]).map((message) => messageOf(message, left)),
    tools: ((tools ?? []) as unknown as readonly { readonly function: ModelTool }[]).map((tool) => tool.function),
    ...(choice !== undefined && choice !== null && { toolChoice: choiceOf(choice) }),
    settings: typeof temperature === 'number' ? { temperature } : {},
    stream: stream === true,
    extraParams,
  })
  return { ...request, connection: { ...request.connection, brand: brandOf(recording.name), quirks: quirksOf(recording.name) } }
}

const choiceOf = (choice: JsonValue): NonNullable<ModelRequest['toolChoice']> =>
  typeof choice === 'string' ? (choice as 'auto') : { name: String((choice as { readonly function: JsonObject }).function['name']) }

function messageOf(message: JsonObject, left: AssistantContent[]): ModelMessage {
  const text = textOf(message['content'])
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', content: [{ type: 'text', text }] }
    case 'tool':
      return resultOf(String(message['tool_call_id']), text)
    case 'assistant': {
      const content = left.shift()
      if (!content && message['tool_calls'] !== undefined) throw new Error('A turn of the model was not recorded.')
      return { role: 'assistant', content: content ?? [{ type: 'text', text }] }
    }
    default:
      return userText(text)
  }
}

const textOf = (content: JsonValue | undefined): string =>
  typeof content === 'string' ? content : ((content ?? []) as readonly JsonObject[]).map((part) => String(part['text'] ?? '')).join('')

/** A body without the intended differences. */
function comparable(body: JsonObject): JsonObject {
  const { stream, stream_options: _, ...rest } = withoutNulls(body)
  return {
    ...rest,
    ...(stream === true && { stream }),
    messages: ((body['messages'] ?? []) as readonly JsonObject[]).map((message) => comparableMessage(withoutNulls(message))),
  }
}

const withoutNulls = (members: JsonObject): JsonObject => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

function comparableMessage({ content, tool_calls: calls, reasoning_content: reasoning, ...message }: JsonObject): JsonObject {
  return {
    ...message,
    role: message['role'] === 'developer' ? 'system' : (message['role'] ?? null),
    content: textOf(content),
    ...(reasoning !== undefined && reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls !== undefined && {
      tool_calls: (calls as unknown as readonly { readonly function: { readonly arguments: string } }[]).map((call) => ({
        ...call,
        function: { ...call.function, arguments: JSON.parse(call.function.arguments) as JsonValue },
      })),
    }),
  }
}
