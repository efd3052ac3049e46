import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest, ModelSettings, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type Recording, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { type AssistantContent, opaqueTexts, resultOf, turnsBefore, userText } from '../test-support/conversation.js'
import { brandOf, openProviderRecordings, quirksOf } from '../test-support/recordings.js'
import { responsesRecordings } from '../test-support/responses-recordings.js'

/** Intended differences from the recordings. Each is undone on both sides before the comparison. */
const differences = {
  'items as they came': 'Reasoning and messages go back with id, status and empty lists; the recording client kept their content alone.',
  'one text as a text':
    'A message of one text has it as `content`; some clients send a list with one part, or the text as the whole input.',
  'nothing is stored': '`store: false` and encrypted reasoning are asked for always; some of the recording clients let the vendor store.',
  'a summary is asked for': '`reasoning.summary` is asked for of every model that reasons; the recording client did without.',
  'no stream: false': '`stream: false` is left out.',
  'arguments written again': 'Arguments are parsed and written again. Only blanks between them differ.',
  'instructions apart': 'System messages at the beginning are `instructions`; one client sends them as the first item.',
  'strict is explicit': 'Tools have `strict: false`; one client omits it.',
} as const

describe('requests of the responses protocol as they were recorded', () => {
  const adapter = createTestAdapter()
  const all = responsesRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  const recordings = all.filter(({ request }) => request !== undefined)
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
    expect(recordings.length).to.be.greaterThan(24)
    expect(recordings.filter((recording) => turnsBefore(recording, all).length > 0).length).to.equal(6)
    for (const reason of Object.values(differences)) expect(reason).to.match(/\.$/)
  })

  for (const recording of recordings) {
    const before = turnsBefore(recording, all)
    it(`${recording.name}: the same history${before.length > 0 ? ', with what was answered,' : ''} makes the same body`, async () => {
      const answers: AssistantContent[] = []
      for (const turn of before) answers.push(await answered(turn, [...answers]))
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      await outcomeOf(adapter, requestFrom(server.baseUrl, recording, answers))
      const body = server.seen.at(-1)?.body ?? '{}'
      expect(comparable(JSON.parse(body) as JsonObject)).to.deep.equal(comparable(recording.request ?? {}))
      const sent = itemsIn(JSON.parse(body) as JsonObject)
      const told = itemsIn(recording.request ?? {})
      const encrypted = (items: readonly JsonObject[]): readonly unknown[] => items.flatMap((item) => item['encrypted_content'] ?? [])
      expect(encrypted(sent)).to.deep.equal(encrypted(told))
      for (const text of answers.flatMap(opaqueTexts)) expect(body).to.contain(JSON.stringify(text))
    })
  }
})

/** The request of a recording; each turn of the model is what it answered. */
function requestFrom(baseUrl: string, recording: Recording, answers: readonly AssistantContent[]): ModelRequest {
  const recorded = recording.request ?? {}
  const { model, input: _i, instructions, tools, tool_choice: toolChoice, stream, store: _s, include: _c, ...rest } = recorded
  const { max_output_tokens: limit, temperature, top_p: topP, reasoning, ...extraParams } = rest
  const effort = (reasoning as JsonObject | undefined)?.['effort']
  const settings: ModelSettings = {
    ...(typeof limit === 'number' && { max_tokens: limit }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { top_p: topP }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  }
  const system: readonly ModelMessage[] =
    typeof instructions === 'string' ? [{ role: 'system', content: [{ type: 'text', text: instructions }] }] : []
  const request = requestTo(baseUrl, {
    protocol: 'responses',
    model: String(model),
    messages: [...system, ...messagesOf(itemsIn(recorded), answers)],
    tools: ((tools ?? []) as unknown as readonly ModelTool[]).map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
    ...(typeof toolChoice === 'string' && { toolChoice: toolChoice as 'auto' }),
    settings,
    stream: stream === true,
    extraParams,
  })
  return { ...request, connection: { ...request.connection, brand: brandOf(recording.name), quirks: quirksOf(recording.name) } }
}

const itemsIn = ({ input }: JsonObject): readonly JsonObject[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : ((input ?? []) as readonly JsonObject[])

function messagesOf(items: readonly JsonObject[], answers: readonly AssistantContent[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = []
  const left = [...answers]
  for (const item of items) {
    if (item['role'] === 'user') messages.push(userText(textOf(item['content'])))
    else if (item['role'] === 'system') messages.push({ role: 'system', content: [{ type: 'text', text: textOf(item['content']) }] })
    else if (item['type'] === 'function_call_output') messages.push(resultOf(String(item['call_id']), String(item['output'])))
    else if (messages.at(-1)?.role !== 'assistant') {
      const content = left.shift()
      if (!content) throw new Error('A turn of the model was not recorded.')
      messages.push({ role: 'assistant', content })
    }
  }
  return messages
}

const textOf = (content: JsonValue | undefined): string =>
  typeof content === 'string' ? content : ((content ?? []) as readonly JsonObject[]).map((part) => String(part['text'])).join('')

/** A body without the intended differences. */
function comparable(body: JsonObject): JsonObject {
  const { stream, store: _s, include: _c, reasoning, instructions, tools, ...rest } = body
  const { summary: _y, ...thinking } = (reasoning ?? {}) as JsonObject
  const items = itemsIn(body)
  const system = items.filter((item) => item['role'] === 'system').map((item) => textOf(item['content']))
  return {
    ...rest,
    ...(stream === true && { stream }),
    ...(Object.keys(thinking).length > 0 && { reasoning: thinking }),
    instructions: instructions ?? system.join(''),
    tools: ((tools ?? []) as readonly JsonObject[]).map((tool) => ({ ...tool, strict: false })),
    input: items.filter((item) => item['role'] !== 'system').map(comparableItem),
  }
}

function comparableItem(item: JsonObject): JsonObject {
  const { id: _i, status: _s, content, type, arguments: text, ...rest } = item
  const parts = Array.isArray(content) && content.length === 0 ? undefined : content
  return {
    ...rest,
    ...(type !== 'message' && type !== undefined && { type }),
    ...(parts !== undefined && { content: textOf(parts) }),
    ...(typeof text === 'string' && { arguments: JSON.parse(text) as JsonValue }),
  }
}
