import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, fileAsText } from '@agent-service/sdk/provider-kit'
import { outcomeOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './chat/build-request.js'
import { toolNameRule } from './chat/call.js'
import { opaqueVendor } from './chat/opaque-reasoning.js'
import { createTestAdapter } from './test-support/adapter.js'
import { callDelta, callEnd, callStart, streamOf } from './test-support/wire.js'

const bodyOf = (changes: Partial<ModelRequest>): JsonObject => {
  const request = requestTo('http://127.0.0.1', { protocol: 'cohere-chat', ...changes })
  return buildRequestBody(
    request,
    createToolNames(
      request.tools.map(({ name }) => name),
      toolNameRule,
    ),
  )
}
const assistant = (...content: readonly ContentPart[]): ModelMessage => ({
  role: 'assistant',
  content: content as Extract<ModelMessage, { role: 'assistant' }>['content'],
})
const tool = (name: string) => ({ name, description: 'Tells it.', parameters: { type: 'object', properties: {} } })
const result = (content: Extract<ContentPart, { type: 'tool_result' }>['content']): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool_result', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time', content }],
})

describe('the body of a Cohere request', () => {
  it('has no turn that is only thinking', () => {
    const thinking = { type: 'thinking', thinking: 'Hm' }
    const reasoning = { type: 'reasoning', text: 'Hm', opaque: { vendor: opaqueVendor('custom', 'model-1'), data: { thinking } } } as const
    expect(bodyOf({ messages: [assistant(reasoning)] })['messages']).to.deep.equal([])
    expect(bodyOf({ messages: [assistant(reasoning, { type: 'text', text: 'Noon.' })] })['messages']).to.deep.equal([
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Noon.' }] },
    ])
  })

  it('sends messages, tools and settings under their wire names', () => {
    const body = bodyOf({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] },
        assistant({ type: 'tool_call', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time', arguments: { zone: 'UTC' } }),
        result([{ type: 'text', text: '12:00' }]),
      ],
      tools: [tool('get_time')],
      settings: { max_tokens: 100, temperature: 0.5 },
      extraParams: { p: 0.7, documents: [{ data: { text: 'x' } }] },
    })
    expect(JSON.stringify(body)).to.equal(
      JSON.stringify({
        model: 'model-1',
        tools: [{ type: 'function', function: tool('get_time') }],
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What time is it?' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '12:00' },
        ],
        max_tokens: 100,
        temperature: 0.5,
        stream: true,
        p: 0.7,
        documents: [{ data: { text: 'x' } }],
      }),
    )
  })

  it('sends text files as text, of a person and of a result; other files become a note', () => {
    const file = { type: 'file', media_type: 'text/csv', name: 'a.csv', data: Buffer.from('Thymian;grün').toString('base64') } as const
    const content = [file, { ...file, media_type: 'application/pdf', name: 'a.pdf' }] as const
    const { messages } = bodyOf({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, ...content] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'read_file', content }] },
      ],
    })
    const text = `${fileAsText(file).text}\n(file a.pdf left out)`
    expect(text).to.contain('Thymian;grün')
    expect(messages).to.deep.equal([
      { role: 'user', content: `Look\n${text}` },
      { role: 'tool', tool_call_id: 'c', content: text },
    ])
  })

  it('has images of a person as parts, those of a result behind it', () => {
    const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
    const wire = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const { messages } = bodyOf({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, { type: 'text', text: '' }, image] }, result([image])],
    })
    expect(messages).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'Look' }, wire] },
      { role: 'tool', tool_call_id: 'call_1', content: '(see image)' },
      { role: 'user', content: [wire] },
    ])
  })

  it('drops empty messages, and never sends an empty result', () => {
    const foreign = {
      type: 'reasoning',
      text: 'Hm',
      opaque: { vendor: 'openai-completions:x:y', data: { thinking: { thinking: 'Hm' } } },
    } as const
    const messages = [
      assistant(foreign),
      assistant({ type: 'text', text: '' }),
      { role: 'user', content: [{ type: 'text', text: '' }] } as const,
      result([]),
    ]
    expect(bodyOf({ messages })['messages']).to.deep.equal([{ role: 'tool', tool_call_id: 'call_1', content: '(nothing)' }])
  })

  it('sends thinking and plan back only to the brand and model that they came from', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', seal: 'x/+=' }
    const sentTo = (vendor: string) =>
      bodyOf({
        messages: [
          assistant(
            { type: 'reasoning', text: 'Hm', opaque: { vendor, data: { thinking } } },
            { type: 'reasoning', text: 'I will look.', opaque: { vendor, data: { tool_plan: 'I will look.' } } },
            { type: 'text', text: 'Yes' },
          ),
        ],
      })['messages']
    expect(sentTo('cohere-chat:custom:model-1')).to.deep.equal([
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes' }], tool_plan: 'I will look.' },
    ])
    for (const other of ['cohere-chat:custom:model-2', 'cohere-chat:cohere:model-1', 'anthropic'])
      expect(sentTo(other)).to.deep.equal([{ role: 'assistant', content: 'Yes' }])
  })

  it('chooses one tool by offering only that one', () => {
    const tools = [tool('get_time'), tool('get_date')]
    expect(bodyOf({ tools, toolChoice: 'auto' })).to.not.have.property('tool_choice')
    expect(bodyOf({ tools, toolChoice: 'none' })['tool_choice']).to.equal('NONE')
    expect(bodyOf({ tools, toolChoice: 'required' })['tool_choice']).to.equal('REQUIRED')
    const named = bodyOf({ tools, toolChoice: { name: 'get_date' } })
    expect(named['tools']).to.deep.equal([{ type: 'function', function: tool('get_date') }])
    expect(named['tool_choice']).to.equal('REQUIRED')
    expect(bodyOf({ toolChoice: 'required' })).to.not.have.any.keys('tools', 'tool_choice')
  })

  it('requests a schema by the response format, and by an instruction beside tools', () => {
    const responseSchema = { name: 'n', schema: { type: 'object', properties: { shade: { type: 'string' } } } }
    expect(bodyOf({ responseSchema })['response_format']).to.deep.equal({ type: 'json_object', json_schema: responseSchema.schema })
    const beside = bodyOf({ responseSchema, tools: [tool('get_time')] })
    expect(beside).to.not.have.property('response_format')
    expect(JSON.stringify(beside['messages'])).to.contain('shade')
  })

  it('converts tool names for Cohere, and maps them back', async () => {
    const name = 'files:read-all'
    const wire = createToolNames([name], toolNameRule).wire(name)
    const server = await startReplayServer(() => ({
      pieces: streamOf([callStart(0, 'c', wire), callDelta(0, '{}'), callEnd(0)], 'TOOL_CALL'),
    }))
    const { finished, events } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'cohere-chat', tools: [tool(name)] }))
    await server.close()
    expect(wire).to.match(/^[A-Za-z_]\w{0,63}$/)
    expect(server.seen[0]?.body).to.contain(`"name":"${wire}"`)
    expect(finished?.content[0]).to.include({ type: 'tool_call', name })
    expect(events.find((event) => event.type === 'tool_call.started')).to.include({ name })
  })

  const adapter = createTestAdapter()
  const addresses: readonly (readonly [string, string])[] = [
    ['', '/v2/chat'],
    ['/', '/v2/chat'],
    ['/v2', '/v2/chat'],
    ['/proxy/cohere/v2/', '/proxy/cohere/v2/chat'],
    ['/proxy', '/proxy/v2/chat'],
  ]
  for (const [base, expected] of addresses) {
    it(`goes to ${expected} for an address that ends in “${base}”, with the key in its header`, async () => {
      const server = await startReplayServer(() => ({ pieces: streamOf([], 'COMPLETE') }))
      await outcomeOf(adapter, requestTo(server.baseUrl.replace(/\/v1$/, base), { protocol: 'cohere-chat' }))
      await server.close()
      expect(server.seen[0]?.url).to.equal(expected)
      expect(server.seen[0]?.headers['authorization']).to.equal('Bearer sk-test-key-0123456789abcdef')
    })
  }
})
