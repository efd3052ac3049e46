import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { requestTo } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { toolNamesOf } from '../connection/tool-names.js'
import { buildResponsesBody } from './build-request.js'
import { readResponsesQuirks } from './quirks.js'

const bodyOf = (changes: Partial<ModelRequest>, quirks: JsonObject = {}, refused: readonly string[] = []): JsonObject => {
  const request = requestTo('http://127.0.0.1/v1', { protocol: 'responses', ...changes })
  return buildResponsesBody(request, { quirks: readResponsesQuirks(quirks), names: toolNamesOf(request), refused: new Set(refused) })
}
const inputOf = (...args: Parameters<typeof bodyOf>): readonly JsonObject[] => bodyOf(...args)['input'] as readonly JsonObject[]

const system = (text: string): ModelMessage => ({ role: 'system', content: [{ type: 'text', text }] })
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const getTime = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const call = (id: string, more: JsonObject = {}) =>
  ({ type: 'tool_call', call_id: `our-${id}`, provider_call_id: id, name: 'get_time', arguments: { zone: 'Rome' }, ...more }) as const
const result = (id: string, text = 'noon') =>
  ({ type: 'tool_result', call_id: `our-${id}`, provider_call_id: id, name: 'get_time', content: [{ type: 'text', text }] }) as const
const vendor = 'openai-responses:custom:model-1'
const reasoningItem = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm' }],
  encrypted_content: 'gAAA',
  status: null,
}

describe('the body of a responses request', () => {
  it('sends conversation, tools and settings under their wire names, in a fixed order', () => {
    const body = bodyOf({
      messages: [system('Be brief.'), system('Be kind.'), user('What time is it?'), system('It is late.')],
      tools: [getTime],
      toolChoice: { name: 'get_time' },
      settings: { max_tokens: 100, temperature: 0.5, top_p: 0.9, reasoning_effort: 'low', top_logprobs: 2 },
    })
    expect(JSON.stringify(body)).to.equal(
      JSON.stringify({
        model: 'model-1',
        instructions: 'Be brief.\n\nBe kind.',
        tools: [{ type: 'function', ...getTime, strict: false }],
        tool_choice: { type: 'function', name: 'get_time' },
        input: [
          { role: 'user', content: 'What time is it?' },
          { role: 'developer', content: 'It is late.' },
        ],
        store: false,
        include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
        reasoning: { effort: 'low', summary: 'auto' },
        max_output_tokens: 100,
        temperature: 0.5,
        top_p: 0.9,
        top_logprobs: 2,
        stream: true,
      }),
    )
  })

  it('prefers the specific limit, and maps each tool choice', () => {
    expect(bodyOf({ settings: { max_tokens: 10, max_completion_tokens: 20 } })).to.include({ max_output_tokens: 20 })
    for (const toolChoice of ['auto', 'none', 'required'] as const) {
      expect(bodyOf({ tools: [getTime], toolChoice })).to.include({ tool_choice: toolChoice })
    }
    expect(bodyOf({ toolChoice: 'required' })).to.not.have.any.keys('tool_choice', 'tools')
  })

  it('requests a summary only from models that are known to reason', () => {
    const quirks = { reasoning_models: '^gpt-5' }
    expect(bodyOf({ model: 'gpt-5-mini' }, quirks)).to.deep.include({
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    })
    expect(bodyOf({ model: 'gpt-4o' }, quirks)).to.not.have.any.keys('reasoning', 'include')
    expect(bodyOf({})).to.not.have.property('reasoning')
  })

  it('merges extra parameters into its own fields', () => {
    const body = bodyOf({
      settings: { reasoning_effort: 'low' },
      extraParams: { reasoning: { summary: 'detailed' }, text: { verbosity: 'low' }, metadata: { team: 'x' } },
      responseSchema: { name: 'n', schema: { type: 'string' } },
    })
    expect(body['reasoning']).to.deep.equal({ effort: 'low', summary: 'detailed' })
    expect(body['text']).to.deep.equal({
      format: { type: 'json_schema', name: 'n', schema: { type: 'string' }, strict: true },
      verbosity: 'low',
    })
  })

  it('marks a schema as strict only if the vendor can enforce it', () => {
    const strict = (schema: JsonObject): unknown => {
      const { text } = bodyOf({ responseSchema: { name: 'n', schema } })
      return ((text as JsonObject)['format'] as JsonObject)['strict']
    }
    const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
    expect(strict(closed)).to.equal(true)
    expect(strict({ ...closed, properties: { a: { type: 'array', items: closed } } })).to.equal(true)
    expect(strict({ ...closed, required: [] })).to.equal(false)
    expect(strict({ ...closed, additionalProperties: true })).to.equal(false)
    expect(strict({ ...closed, properties: { a: { type: 'object' } } })).to.equal(false)
    expect(strict({ ...closed, properties: { a: { type: 'string', format: 'date' } } })).to.equal(false)
  })

  it('converts tool names and long ids, the same for call and result', () => {
    const long = 'x'.repeat(70)
    const named = { ...call(long), name: 'files/read it' }
    const input = inputOf({
      messages: [
        { role: 'assistant', content: [named] },
        { role: 'tool', content: [result(long)] },
      ],
      tools: [{ ...getTime, name: 'files/read it' }],
    })
    expect(input[0]?.['name']).to.match(/^files_read_it_[0-9a-f]{8}$/)
    expect(input[0]?.['call_id']).to.match(/^call_[0-9a-f]{24}$/)
    expect(input[1]?.['call_id']).to.equal(input[0]?.['call_id'])
  })
})

describe('the input of a responses request', () => {
  it('has images and files of a person as parts, without empty texts', () => {
    const content = [
      { type: 'text', text: '' },
      { type: 'text', text: 'Look' },
      { type: 'image', media_type: 'image/png', data: 'AAAA' },
      { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'BBBB' },
      { type: 'file', media_type: 'application/pdf', name: 'b.pdf', url: 'https://files.example/b.pdf' },
    ] as const
    expect(inputOf({ messages: [{ role: 'user', content }] })[0]?.['content']).to.deep.equal([
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_file', file_url: 'https://files.example/b.pdf' },
    ])
  })

  it('has an image of a result in the result itself', () => {
    const content = [
      { type: 'text', text: 'Seen' },
      { type: 'image', media_type: 'image/png', data: 'AAAA' },
    ] as const
    const [item] = inputOf({ messages: [{ role: 'tool', content: [{ ...result('c'), content }] }] })
    expect(item?.['output']).to.deep.equal([
      { type: 'input_text', text: 'Seen' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
    ])
  })

  const turn = (from: string): readonly ModelMessage[] => [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm', opaque: { vendor: from, data: reasoningItem } },
        { type: 'reasoning', text: '', opaque: { vendor: from, data: { type: 'web_search_call', id: 'ws_1', status: 'completed' } } },
        { type: 'text', text: 'Let me look.', opaque: { vendor: from, data: { id: 'msg_1', phase: 'commentary' } } },
        call('call_1'),
        { type: 'text', text: '' },
      ],
    },
    { role: 'tool', content: [result('call_1')] },
  ]
  const called = { type: 'function_call', call_id: 'call_1', name: 'get_time', arguments: '{"zone":"Rome"}' }
  const answered = { type: 'function_call_output', call_id: 'call_1', output: 'noon' }

  it('sends a vendor’s own items back unchanged, in their order', () => {
    expect(inputOf({ messages: turn(vendor) })).to.deep.equal([
      reasoningItem,
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }],
        phase: 'commentary',
      },
      called,
      answered,
    ])
  })

  it('omits ids if the brand generates new ones each time', () => {
    const items = inputOf({ messages: turn(vendor) }, { item_ids: false })
    expect(items.every((item) => item['id'] === undefined)).to.equal(true)
    expect(items[0]).to.include({ encrypted_content: 'gAAA' })
    expect(items[2]).to.include({ phase: 'commentary' })
  })

  for (const other of ['openai-responses:custom:model-2', 'openai-responses:other:model-1', 'openai-completions:custom:model-1']) {
    it(`sends no opaque data of ${other}`, () => {
      expect(inputOf({ messages: turn(other) })).to.deep.equal([
        { role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
        called,
        answered,
      ])
    })
  }

  it('drops reasoning that is neither encrypted nor readable, since the vendor stores nothing', () => {
    const item = (more: JsonObject) => ({
      messages: [
        {
          role: 'assistant' as const,
          content: [
            { type: 'reasoning' as const, text: '', opaque: { vendor, data: { type: 'reasoning', id: 'rs', summary: [], ...more } } },
            { type: 'text' as const, text: 'Noon.' },
          ],
        },
      ],
    })
    expect(inputOf(item({ encrypted_content: null }))).to.have.length(1)
    expect(inputOf(item({ content: [{ type: 'reasoning_text', text: 'Hm' }] }))).to.have.length(2)
  })

  it('omits the ids of an answer whose reasoning cannot go back', () => {
    const lost = { type: 'reasoning', text: 'Hm', opaque: { vendor, data: { type: 'reasoning', id: 'rs_1', summary: [] } } } as const
    const said = { type: 'text', text: 'Noon.', opaque: { vendor, data: { id: 'msg_1' } } } as const
    const messages: readonly ModelMessage[] = [
      { role: 'assistant', content: [lost, said] },
      { role: 'assistant', content: [said] },
    ]
    expect(inputOf({ messages }).map(({ id }) => id)).to.deep.equal([undefined, 'msg_1'])
  })

  it('drops reasoning that no other item of the answer follows', () => {
    const hm = { type: 'reasoning', text: 'Hm', opaque: { vendor, data: reasoningItem } } as const
    const said = { type: 'text', text: 'Let me look.' } as const
    const typesOf = (content: Extract<ModelMessage, { role: 'assistant' }>['content']) =>
      inputOf({ messages: [user('Hi'), { role: 'assistant', content }, user('Go on.')] }).map((item) => item['type'] ?? item['role'])
    expect(typesOf([hm])).to.deep.equal(['user', 'user'])
    expect(typesOf([hm, { type: 'text', text: '' }])).to.deep.equal(['user', 'user'])
    expect(typesOf([hm, { type: 'image', media_type: 'image/png', data: 'AAAA' }])).to.deep.equal(['user', 'user'])
    expect(typesOf([hm, said, hm, hm])).to.deep.equal(['user', 'reasoning', 'assistant', 'user'])
    expect(typesOf([hm, hm, call('call_1')])).to.deep.equal(['user', 'reasoning', 'reasoning', 'function_call', 'user'])
  })

  it('answers a custom call with a custom result, only to its vendor', () => {
    const item = { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_2', name: 'sql', input: 'SELECT 1' }
    const messages = (from: string): readonly ModelMessage[] => [
      { role: 'assistant', content: [call('call_2', { opaque: { vendor: from, data: item } })] },
      { role: 'tool', content: [result('call_2')] },
    ]
    expect(inputOf({ messages: messages(vendor) })).to.deep.equal([
      item,
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'noon' },
    ])
    expect(inputOf({ messages: messages('x') }).map((entry) => entry['type'])).to.deep.equal(['function_call', 'function_call_output'])
  })

  it('sends a refusal back as one', () => {
    const [item] = inputOf({
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'No.', opaque: { vendor, data: { refused: true } } }] }],
    })
    expect(item?.['content']).to.deep.equal([{ type: 'refusal', refusal: 'No.' }])
  })

  it('omits fields that an endpoint refused before', () => {
    const body = bodyOf({ settings: { reasoning_effort: 'low' } }, {}, ['include', 'reasoning.summary'])
    expect(body).to.not.have.property('include')
    expect(body['reasoning']).to.deep.equal({ effort: 'low' })
    expect(bodyOf({ model: 'gpt-5' }, { reasoning_models: '.' }, ['reasoning.summary'])).to.not.have.property('reasoning')
  })
})
