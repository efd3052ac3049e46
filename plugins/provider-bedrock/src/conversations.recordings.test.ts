import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { type CallOutcome, outcomeOf, type Recording, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { converseRecordings, documentsOf, openProviderRecordings } from './test-support/recordings.js'

/** Intended differences from what the recorded client sent, each with its reason. */
const differences: readonly { readonly why: string; readonly change: (body: JsonObject) => JsonObject }[] = [
  {
    why: 'An empty inferenceConfig is not sent.',
    change: ({ inferenceConfig, ...body }) =>
      Object.keys((inferenceConfig as JsonObject | undefined) ?? {}).length === 0
        ? body
        : { ...body, inferenceConfig: inferenceConfig as JsonObject },
  },
]
const asSent = (body: JsonObject): JsonObject => differences.reduce((changed, { change }) => change(changed), body)

/** The contract has no blocks for guardrails; such requests cannot be made. */
const isGuarded = (body: JsonObject): boolean => JSON.stringify(body).includes('"guardContent"')

type Block = JsonObject & {
  readonly text?: string
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: JsonObject }
  readonly toolResult?: { readonly toolUseId: string; readonly content: readonly { readonly text: string }[] }
}

/** The contract's equivalent of a recorded message. */
function messageOf({ role, content }: { readonly role: string; readonly content: readonly Block[] }): ModelMessage {
  if (role === 'assistant') {
    return {
      role,
      content: content.map(({ text, toolUse }) =>
        toolUse
          ? { type: 'tool_call', call_id: 'ours', provider_call_id: toolUse.toolUseId, name: toolUse.name, arguments: toolUse.input }
          : { type: 'text', text: text ?? '' },
      ),
    }
  }
  const results = content.flatMap(({ toolResult }) => (toolResult ? [toolResult] : []))
  if (results.length === 0) return { role: 'user', content: content.map(({ text }) => ({ type: 'text', text: text ?? '' })) }
  return {
    role: 'tool',
    content: results.map(({ toolUseId, content: texts }) => ({
      type: 'tool_result',
      call_id: 'ours',
      provider_call_id: toolUseId,
      name: 'best_language_to_learn',
      content: texts.map(({ text }) => ({ type: 'text', text })),
    })),
  }
}

/** The request that the recorded client made, in the contract's words. */
function requestOf(baseUrl: string, body: JsonObject): ModelRequest {
  const { messages, system, inferenceConfig, toolConfig, ...others } = body
  const { maxTokens, temperature, topP } = (inferenceConfig ?? {}) as JsonObject
  const specs = ((toolConfig as JsonObject | undefined)?.['tools'] ?? []) as readonly { readonly toolSpec: JsonObject }[]
  return converseRequest(baseUrl, {
    messages: [
      ...((system ?? []) as readonly { readonly text: string }[]).map(
        ({ text }): ModelMessage => ({ role: 'system', content: [{ type: 'text', text }] }),
      ),
      ...(messages as unknown as Parameters<typeof messageOf>[0][]).map(messageOf),
    ],
    tools: specs.map(
      ({ toolSpec: { name, description, inputSchema } }): ModelTool => ({
        name: String(name),
        description: String(description),
        parameters: (inputSchema as { readonly json: JsonObject }).json,
      }),
    ),
    settings: {
      ...(maxTokens !== undefined && { max_tokens: Number(maxTokens) }),
      ...(temperature !== undefined && { temperature: Number(temperature) }),
      ...(topP !== undefined && { top_p: topP }),
    },
    extraParams: others,
  })
}

describe('recorded conversations, bedrock, Converse', () => {
  const adapter = createTestAdapter()
  const recordings = converseRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const replayed = async (recording: Recording, request: ModelRequest): Promise<CallOutcome> => {
    replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
    return await outcomeOf(adapter, request)
  }
  const sentLast = (): JsonObject => JSON.parse(server.seen.at(-1)?.body ?? '') as JsonObject
  const requested = recordings.filter(
    (recording): recording is Recording & { readonly request: JsonObject } =>
      recording.request !== undefined && !isGuarded(recording.request),
  )

  it('exist, and each difference has a reason', () => {
    expect(requested.length).to.be.greaterThan(8)
    for (const { why } of differences) expect(why).to.match(/\.$/)
  })

  for (const recording of requested) {
    it(`${recording.name}: the same history makes the same body, field by field`, async () => {
      await replayed(recording, requestOf(server.baseUrl, recording.request))
      expect(sentLast()).to.deep.equal(asSent(recording.request))
    })
  }

  it('the second request of a conversation has the first answer in it, as it was sent to the vendor', async () => {
    const name = 'ruby--function-calling-bedrock-amazon-nova-2-lite-v1-0-can-use-tools-without-parameters'
    const [first, second] = [0, 1].map((number) => requested.find((recording) => recording.name.endsWith(`${name}.${number}`)))
    if (!first || !second) throw new Error('The conversation is missing.')
    const opening = requestOf(server.baseUrl, first.request)
    const content = (await replayed(first, opening)).finished?.content ?? []
    const [call] = content.filter((part) => part.type === 'tool_call')
    if (!call) throw new Error('The first answer has no call.')
    const result: ModelMessage = {
      role: 'tool',
      content: [{ ...call, type: 'tool_result', content: [{ type: 'text', text: 'Ruby' }] }],
    }
    await replayed(second, { ...opening, messages: [...opening.messages, { role: 'assistant', content }, result] })
    expect(sentLast()).to.deep.equal(asSent(second.request))
  })

  const reasoned = recordings.filter((recording) => !recording.truncated && expectationOf(documentsOf(recording)).signature !== '')
  it('has answers with signed reasoning, streamed and in one piece', () => {
    expect(new Set(reasoned.map(({ kind }) => kind))).to.deep.equal(new Set(['json', 'eventstream']))
  })

  for (const recording of reasoned) {
    it(`${recording.name} (${recording.kind}): reasoning goes back byte for byte to the same model, and to no other`, async () => {
      const expected = expectationOf(documentsOf(recording))
      const request = converseRequest(server.baseUrl)
      const content = (await replayed(recording, request)).finished?.content ?? []
      const next: ModelRequest = {
        ...request,
        messages: [...request.messages, { role: 'assistant', content }, { role: 'user', content: [{ type: 'text', text: 'Sure?' }] }],
      }
      const answered = { text: expected.text }
      const signed = { reasoningContent: { reasoningText: { text: expected.reasoning, signature: expected.signature } } }
      await replayed(recording, next)
      expect((sentLast()['messages'] as readonly JsonObject[])[1]).to.deep.equal({ role: 'assistant', content: [signed, answered] })
      for (const other of [
        { ...next, model: 'model-2' },
        { ...next, connection: { ...next.connection, brand: 'other' } },
      ]) {
        await replayed(recording, other)
        expect((sentLast()['messages'] as readonly JsonObject[])[1]).to.deep.equal({ role: 'assistant', content: [answered] })
      }
    })
  }
})
