import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, fileAsText } from '@agent-service/sdk/provider-kit'
import { bytesOf, outcomeOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './chat/build-request.js'
import { toolNameRule } from './chat/call.js'
import { createEndpointMemory } from './chat/endpoint-memory.js'
import { createTestAdapter } from './test-support/adapter.js'
import { json, streamOf } from './test-support/wire.js'

const bodyOf = (changes: Parameters<typeof requestTo>[1]): JsonObject => {
  const request = requestTo('http://127.0.0.1', { protocol: 'huggingface', ...changes })
  const names = createToolNames(
    request.tools.map(({ name }) => name),
    toolNameRule,
  )
  return buildRequestBody(request, names, { streamOptions: true })
}
const assistant = (...content: readonly ContentPart[]): ModelMessage => ({
  role: 'assistant',
  content: content as Extract<ModelMessage, { role: 'assistant' }>['content'],
})
const tool = (name: string) => ({ name, description: 'Tells it.', parameters: { type: 'object', properties: {} } })

describe('the body of a Hugging Face request', () => {
  it('sends messages, tools and settings under their wire names', () => {
    const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
    const wire = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const body = bodyOf({
      model: 'org/name:cheapest',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
        assistant({ type: 'tool_call', call_id: 'ours', provider_call_id: 'call_1', name: 'get_time', arguments: { zone: 'UTC' } }),
        {
          role: 'tool',
          content: [
            {
              ...{ type: 'tool_result', call_id: 'ours', provider_call_id: 'call_1', name: 'get_time' },
              content: [{ type: 'text', text: '12:00' }, image],
            },
          ],
        },
      ],
      tools: [tool('get_time')],
      toolChoice: { name: 'get_time' },
      settings: { max_tokens: 100, temperature: 0.5 },
      extraParams: { seed: 7 },
    })
    expect(JSON.stringify(body)).to.equal(
      JSON.stringify({
        model: 'org/name:cheapest',
        tools: [{ type: 'function', function: tool('get_time') }],
        tool_choice: { type: 'function', function: { name: 'get_time' } },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Look' }, wire] },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '12:00\n(see image)' },
          { role: 'user', content: [wire] },
        ],
        max_tokens: 100,
        temperature: 0.5,
        stream: true,
        stream_options: { include_usage: true },
        seed: 7,
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

  it('requests a schema in the form of the router or of older text-generation servers', () => {
    const responseSchema = { name: 'n', schema: { type: 'object' } }
    expect(bodyOf({ responseSchema })['response_format']).to.deep.equal({ type: 'json_schema', json_schema: responseSchema })
    expect(bodyOf({ responseSchema, quirks: { structured_output: 'json_object_value' } })['response_format']).to.deep.equal({
      type: 'json_object',
      value: responseSchema.schema,
    })
  })

  it('sends opaque reasoning back only to the brand and model that it came from', () => {
    const value = [{ type: 'reasoning.text', text: 'Hm', signature: 'x/+=', index: 0 }]
    const sentTo = (vendor: string) =>
      bodyOf({
        messages: [
          assistant(
            { type: 'reasoning', text: 'Hm', opaque: { vendor, data: { field: 'reasoning_details', value } } },
            { type: 'text', text: 'Yes' },
          ),
          assistant({ type: 'reasoning', text: 'Hm' }),
        ],
      })['messages']
    expect(sentTo('huggingface:custom:model-1')).to.deep.equal([{ role: 'assistant', content: 'Yes', reasoning_details: value }])
    for (const other of ['huggingface:custom:model-2', 'huggingface:huggingface:model-1', 'openai-completions:custom:model-1'])
      expect(sentTo(other)).to.deep.equal([{ role: 'assistant', content: 'Yes' }])
  })

  const adapter = createTestAdapter()

  it('converts tool names for every provider, and maps them back', async () => {
    const name = 'files:read all'
    const wire = createToolNames([name], toolNameRule).wire(name)
    const call = { index: 0, id: 'c', function: { name: wire, arguments: '{}' } }
    const server = await startReplayServer(() => ({ pieces: streamOf([{ tool_calls: [call] }], 'tool_calls') }))
    const { finished, events } = await outcomeOf(
      adapter,
      requestTo(server.baseUrl, { protocol: 'huggingface', tools: [tool(name)], toolChoice: { name } }),
    )
    await server.close()
    expect(server.seen[0]?.body.split(`"name":"${wire}"`)).to.have.length(3)
    expect(finished?.content[0]).to.include({ type: 'tool_call', name })
    expect(events.find((event) => event.type === 'tool_call.started')).to.include({ name })
  })

  it('stream_options is left out for good once an endpoint refuses it', async () => {
    const server = await startReplayServer(({ body }) =>
      body.includes('stream_options')
        ? { status: 422, headers: json, pieces: [bytesOf('{"error":"unknown field stream_options","error_type":"validation"}')] }
        : { pieces: streamOf([{ content: 'Hi' }]) },
    )
    const request: ModelRequest = requestTo(server.baseUrl, { protocol: 'huggingface' })
    expect((await outcomeOf(adapter, request)).text).to.equal('Hi')
    expect((await outcomeOf(adapter, request)).text).to.equal('Hi')
    await server.close()
    expect(server.seen.map(({ body }) => body.includes('stream_options'))).to.deep.equal([true, false, false])
  })

  it('at most a few hundred refusing endpoints are remembered', () => {
    const memory = createEndpointMemory()
    for (let number = 0; number < 300; number += 1) memory.rememberRefusal(`http://${number}`)
    expect([memory.refusesStreamOptions('http://0'), memory.refusesStreamOptions('http://299')]).to.deep.equal([false, true])
  })

  const addresses: readonly (readonly [string, string])[] = [
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/together/v1', '/together/v1/chat/completions'],
    ['/together', '/together/v1/chat/completions'],
    ['', '/v1/chat/completions'],
  ]
  for (const [base, expected] of addresses) {
    it(`goes to ${expected} for an address that ends in “${base}”, with the key in its header`, async () => {
      const server = await startReplayServer(() => ({ pieces: streamOf([]) }))
      await outcomeOf(adapter, requestTo(server.baseUrl.replace(/\/v1$/, base), { protocol: 'huggingface' }))
      await server.close()
      expect(server.seen[0]?.url).to.equal(expected)
      expect(server.seen[0]?.headers['authorization']).to.equal('Bearer sk-test-key-0123456789abcdef')
    })
  }
})
