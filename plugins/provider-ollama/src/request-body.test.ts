import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, fileAsText } from '@agent-service/sdk/provider-kit'
import { outcomeOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './chat/build-request.js'
import { toolNameRule } from './chat/call.js'
import { createTestAdapter } from './test-support/adapter.js'
import { end, ndjson, piece } from './test-support/wire.js'

const bodyOf = (changes: Partial<ModelRequest>): JsonObject => {
  const request = requestTo('http://127.0.0.1', { protocol: 'ollama', ...changes })
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
const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const

describe('the body of an Ollama request', () => {
  it('sends messages, tools and settings under their wire names', () => {
    const body = bodyOf({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] },
        assistant({ type: 'tool_call', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time', arguments: { zone: 'UTC' } }),
        {
          role: 'tool',
          content: [
            {
              ...{ type: 'tool_result', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time' },
              content: [{ type: 'text', text: '12:00' }],
            },
          ],
        },
      ],
      tools: [tool('get_time')],
      settings: { seed: 7, think: true, temperature: 0.5, stop: ['END'], num_ctx: 4096, num_predict: 20, max_tokens: 100, use_mmap: false },
      extraParams: { keep_alive: '5m', options: { seed: 8 } },
    })
    expect(JSON.stringify(body)).to.equal(
      JSON.stringify({
        model: 'model-1',
        tools: [{ type: 'function', function: tool('get_time') }],
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What time is it?' },
          { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', function: { name: 'get_time', arguments: { zone: 'UTC' } } }] },
          { role: 'tool', tool_name: 'get_time', tool_call_id: 'call_1', content: '12:00' },
        ],
        think: true,
        options: { temperature: 0.5, num_ctx: 4096, num_predict: 20, seed: 8, stop: ['END'], use_mmap: false },
        stream: true,
        keep_alive: '5m',
      }),
    )
  })

  it('sends the same bytes for any order of the settings', () => {
    const settings = { top_k: 3, min_p: 0.1, mirostat: 1, tfs_z: 1, num_gpu: 2 }
    const reversed = Object.fromEntries(Object.entries(settings).reverse())
    expect(JSON.stringify(bodyOf({ settings }))).to.equal(JSON.stringify(bodyOf({ settings: reversed })))
  })

  it('sends the window of the group without num_ctx, and always whether it streams', () => {
    expect(bodyOf({ contextWindow: 9_000 })['options']).to.deep.equal({ num_ctx: 9_000 })
    expect(bodyOf({ contextWindow: 9_000, settings: { num_ctx: 5 } })['options']).to.deep.equal({ num_ctx: 5 })
    expect(bodyOf({ settings: { max_tokens: 5 } })['options']).to.deep.equal({ num_predict: 5 })
    expect(bodyOf({})).to.not.have.property('options')
    expect(bodyOf({ stream: false })['stream']).to.equal(false)
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
      { role: 'tool', tool_name: 'read_file', tool_call_id: 'c', content: text },
    ])
  })

  it('sends images as bare base64 beside the text, of results too; an address becomes a note', () => {
    const { messages } = bodyOf({
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Look' }, image, { type: 'image', media_type: 'image/png', url: 'https://x/y.png' }],
        },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'shot', content: [image] }] },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'user', content: 'Look\n(image at https://x/y.png, not shown)', images: ['AAAA'] },
      { role: 'tool', tool_name: 'shot', tool_call_id: 'c', content: '', images: ['AAAA'] },
    ])
  })

  it('sends thinking back only to the brand and model that it came from', () => {
    const sentTo = (vendor: string) =>
      bodyOf({
        messages: [
          assistant({ type: 'reasoning', text: 'Hm', opaque: { vendor, data: { thinking: 'Hm' } } }, { type: 'text', text: 'Yes' }),
          assistant({ type: 'reasoning', text: 'Hm', opaque: { vendor: 'anthropic:x', data: {} } }),
        ],
      })['messages']
    expect(sentTo('ollama:custom:model-1')).to.deep.equal([{ role: 'assistant', content: 'Yes', thinking: 'Hm' }])
    for (const other of ['ollama:custom:model-2', 'ollama:ollama:model-1', 'gemini'])
      expect(sentTo(other)).to.deep.equal([{ role: 'assistant', content: 'Yes' }])
  })

  it('requests a schema by the response format, and by an instruction beside tools', () => {
    const responseSchema = { name: 'n', schema: { type: 'object', properties: { shade: { type: 'string' } } } }
    expect(bodyOf({ responseSchema })['format']).to.deep.equal(responseSchema.schema)
    const beside = bodyOf({ responseSchema, tools: [tool('get_time')] })
    expect(beside).to.not.have.property('format')
    expect(JSON.stringify(beside['messages'])).to.contain('shade')
  })

  const adapter = createTestAdapter()

  it('converts tool names for templates, and maps them back', async () => {
    const name = 'files:read all'
    const wire = createToolNames([name], toolNameRule).wire(name)
    const server = await startReplayServer(() => ({
      headers: ndjson,
      pieces: [piece({ content: '', tool_calls: [{ function: { name: wire, arguments: {} } }] }), end()],
    }))
    const { finished } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama', tools: [tool(name)] }))
    await server.close()
    expect(server.seen[0]?.body).to.contain(`"name":"${wire}"`)
    expect(wire).to.match(/^[\w-]{1,64}$/)
    expect(finished?.content[0]).to.include({ type: 'tool_call', name })
  })

  it('generates ids that are stable for the same answer, unique across turns, and never sent back', async () => {
    const call = { function: { name: 'look', arguments: {} } }
    const server = await startReplayServer(() => ({ headers: ndjson, pieces: [piece({ content: '', tool_calls: [call, call] }), end()] }))
    const request = requestTo(server.baseUrl, { protocol: 'ollama' })
    const idsOf = async (messages: ModelRequest['messages']) => {
      const { finished } = await outcomeOf(adapter, { ...request, messages })
      return (finished?.content ?? []).map((part) => (part.type === 'tool_call' ? part.provider_call_id : undefined))
    }
    const first = await idsOf(request.messages)
    expect(await idsOf(request.messages)).to.deep.equal(first)
    const [id = ''] = first
    const made = { call_id: 'ours', provider_call_id: id, name: 'look' }
    const next = await idsOf([
      ...request.messages,
      assistant({ type: 'tool_call', ...made, arguments: {} }),
      { role: 'tool', content: [{ type: 'tool_result', ...made, content: [{ type: 'text', text: 'seen' }] }] },
    ])
    await server.close()
    expect(new Set([...first, ...next]).size).to.equal(4)
    expect(server.seen.at(-1)?.body).to.not.contain(id)
  })
})
