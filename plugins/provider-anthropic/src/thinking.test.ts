import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest, ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { buildRequestBody } from './messages/build-request.js'
import { readQuirks } from './messages/quirks.js'
import { messagesRequest } from './test-support/adapter.js'

const bodyOf = (changes: Partial<ModelRequest>, quirks: JsonObject = {}): JsonObject =>
  buildRequestBody(messagesRequest('http://127.0.0.1', { stream: false, ...changes }), { quirks: readQuirks(quirks), oneSampling: false })

const thinking = { type: 'enabled', budget_tokens: 2_000 }
const getTime = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object' } }
const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] }
const vendor = 'anthropic-messages:custom:model-1'
const thought: ReasoningPart = { type: 'reasoning', text: 'Hm.', opaque: { vendor, data: { type: 'thinking', signature: 'c2ln' } } }
const call = { type: 'tool_call', call_id: 'a', name: 'get_time', arguments: {} } as const
const results: ModelMessage = { role: 'tool', content: [{ type: 'tool_result', call_id: 'a', name: 'get_time', content: [] }] }

describe('thinking in a messages request', () => {
  it('uses the set budget, else half of the limit of the answer', () => {
    expect(bodyOf({ settings: { max_tokens: 4_000, thinking } })['thinking']).to.deep.equal(thinking)
    expect(bodyOf({ settings: { max_tokens: 9_000, thinking: { type: 'enabled' } } })['thinking']).to.deep.equal({
      type: 'enabled',
      budget_tokens: 4_500,
    })
    expect(bodyOf({ settings: { thinking: { type: 'disabled', budget_tokens: 5 } } })['thinking']).to.deep.equal({ type: 'disabled' })
    expect(bodyOf({ settings: { thinking: { budget_tokens: 2_000 } } })).to.not.have.property('thinking')
  })

  it('drops sampling settings that are refused with it', () => {
    expect(bodyOf({ settings: { thinking, temperature: 0.2, top_k: 4, top_p: 0.5 } })).to.not.have.any.keys('temperature', 'top_k', 'top_p')
    expect(bodyOf({ settings: { thinking, temperature: 1, top_p: 0.97 } })).to.include({ temperature: 1, top_p: 0.97 })
    expect(bodyOf({ settings: { thinking: { type: 'disabled' }, temperature: 0.2, top_k: 4 } })).to.include({ temperature: 0.2, top_k: 4 })
  })

  it('is left out if a tool must be called', () => {
    for (const toolChoice of ['required', { name: 'get_time' }] as const) {
      const body = bodyOf({ settings: { thinking, temperature: 0.2 }, tools: [getTime], toolChoice })
      expect(body).to.include({ temperature: 0.2 }).and.not.have.property('thinking')
    }
    expect(bodyOf({ settings: { thinking }, tools: [getTime], toolChoice: 'auto' })).to.have.property('thinking')
  })

  it('is left out in the middle of a turn that another model began', () => {
    const turn = (first: ReasoningPart): readonly ModelMessage[] => [user, { role: 'assistant', content: [first, call] }, results]
    expect(bodyOf({ settings: { thinking }, messages: turn(thought) })).to.have.property('thinking')
    const foreign = { ...thought, opaque: { vendor: 'anthropic-messages:custom:model-2', data: { type: 'thinking', signature: 'c2ln' } } }
    expect(bodyOf({ settings: { thinking }, messages: turn(foreign) })).to.not.have.property('thinking')
    expect(
      bodyOf({
        settings: { thinking },
        messages: [...turn(foreign), { role: 'assistant', content: [{ type: 'text', text: 'Noon' }] }, user],
      }),
    ).to.have.property('thinking')
    const later: readonly ModelMessage[] = [...turn(thought), { role: 'assistant', content: [{ ...call, call_id: 'b' }] }, results]
    expect(bodyOf({ settings: { thinking }, messages: later })).to.have.property('thinking')
  })
})

describe('opaque parts in a messages request', () => {
  const assistantOf = (content: Extract<ModelMessage, { role: 'assistant' }>['content'], quirks: JsonObject = {}): JsonValue =>
    (
      bodyOf({ messages: [user, { role: 'assistant', content }, results] }, quirks)['messages'] as readonly {
        readonly content: JsonValue
      }[]
    )[1]?.content ?? null
  const wireCall = { type: 'tool_use', id: 'a', name: 'get_time', input: {} }
  const withData = (data: JsonValue, of = vendor): ReasoningPart => ({ type: 'reasoning', text: '', opaque: { vendor: of, data } })

  it('go back to their brand and model byte for byte, in their position', () => {
    const redacted = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3' }
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'ü' } }
    expect(assistantOf([thought, withData(redacted), withData(server), call])).to.deep.equal([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      redacted,
      server,
      wireCall,
    ])
  })

  it('are dropped for another brand or model, and reasoning without a signature for all', () => {
    for (const of of ['anthropic-messages:custom:model-2', 'anthropic-messages:other:model-1', 'openai-responses:openai:gpt-5'])
      expect(assistantOf([withData({ type: 'thinking', signature: 'c2ln' }, of), call])).to.deep.equal([wireCall])
    expect(assistantOf([{ type: 'reasoning', text: 'Hm.' }, withData({ type: 'thinking', signature: '' }), call])).to.deep.equal([wireCall])
  })

  it('go back without a signature to a brand that signs nothing', () => {
    const unsigned = { ...thought, opaque: { vendor, data: { type: 'thinking' } } }
    expect(assistantOf([unsigned, call], { unsigned_thinking: true })).to.deep.equal([
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      wireCall,
    ])
  })

  it('include citations of a text and the caller of a call', () => {
    const citations = [{ type: 'web_search_result_location', encrypted_index: 'Eo8BCioIAxgCIiQ4' }]
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    expect(
      assistantOf([
        { type: 'text', text: 'Noon', opaque: { vendor, data: { citations } } },
        { ...call, opaque: { vendor, data: { caller } } },
      ]),
    ).to.deep.equal([
      { type: 'text', text: 'Noon', citations },
      { ...wireCall, caller },
    ])
  })

  it('never end a message: trailing thinking is left out', () => {
    const { messages } = bodyOf({ messages: [user, { role: 'assistant', content: [thought] }, user] })
    expect(messages).to.have.length(1)
    expect(JSON.stringify(messages)).to.not.contain('Hm.')
  })
})
