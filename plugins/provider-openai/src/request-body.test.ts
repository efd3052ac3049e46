import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { fileAsText } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './completions/build-request.js'
import { readQuirks } from './completions/quirks.js'
import { toolNamesOf } from './connection/tool-names.js'

const bodyOf = (changes: Partial<ModelRequest>, quirks: JsonObject = {}): JsonObject =>
  bodyFor(requestTo('http://127.0.0.1/v1', { ...changes, quirks }), quirks)

const bodyFor = (request: ModelRequest, quirks: JsonObject): JsonObject =>
  buildRequestBody(request, readQuirks(quirks), { names: toolNamesOf(request), refused: new Set() })

const toolTurn: readonly ModelMessage[] = [
  { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] },
  {
    role: 'assistant',
    content: [
      { type: 'tool_call', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time', arguments: { timezone: 'Europe/Berlin' } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool_result', call_id: 'ours-1', provider_call_id: 'call_1', name: 'get_time', content: [{ type: 'text', text: '12:00' }] },
    ],
  },
]

const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
const notes = { type: 'file', media_type: 'text/markdown', name: 'notes.md', data: Buffer.from('Thyme').toString('base64') } as const
const getTime = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }

describe('the body of a completions request', () => {
  it('sends messages, tools and settings under their wire names', () => {
    const body = bodyOf({
      messages: toolTurn,
      tools: [getTime],
      toolChoice: 'auto',
      settings: { max_tokens: 100, temperature: 0.5, seed: 7, stop: ['END'] },
    })
    expect(body).to.deep.equal({
      model: 'model-1',
      tools: [{ type: 'function', function: getTime }],
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What time is it?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{"timezone":"Europe/Berlin"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '12:00' },
      ],
      max_tokens: 100,
      seed: 7,
      temperature: 0.5,
      stop: ['END'],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('sends images and files of a user as parts', () => {
    const { messages } = bodyOf({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', media_type: 'image/png', data: 'AAAA' },
            { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'BBBB' },
          ],
        },
      ],
    })
    expect(messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        ],
      },
    ])
  })

  it('sends text files as text, since the vendor accepts no other file except PDF', () => {
    const { messages } = bodyOf({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, notes] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'read_file', content: [notes] }] },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'user', content: `Look\n${fileAsText(notes).text}` },
      { role: 'tool', tool_call_id: 'c', content: fileAsText(notes).text },
    ])
  })

  it('puts an image of a tool result behind the last result, as a message of the user', () => {
    const { messages } = bodyOf({
      messages: [
        {
          role: 'tool',
          content: [
            { type: 'tool_result', call_id: 'c', name: 'shot', content: [{ type: 'image', media_type: 'image/png', data: 'AAAA' }] },
          ],
        },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'tool', tool_call_id: 'c', content: '(see image)' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ])
  })

  it('merges extra parameters: objects recursively, arrays, scalars and null by replacing', () => {
    const body = bodyOf({
      settings: { temperature: 0.5, stop: ['A'] },
      extraParams: { temperature: null, stop: ['B', 'C'], reasoning: { effort: 'low' }, metadata: { team: 'x' } },
      stream: false,
    })
    expect(body).to.include({ temperature: null })
    expect(body['stop']).to.deep.equal(['B', 'C'])
    expect(body['reasoning']).to.deep.equal({ effort: 'low' })
    expect(
      bodyOf({ extraParams: { response_format: { json_schema: { strict: true } } }, responseSchema: { name: 'n', schema: {} } })[
        'response_format'
      ],
    ).to.deep.equal({
      type: 'json_schema',
      json_schema: { name: 'n', schema: {}, strict: true },
    })
  })

  it('keeps a member called __proto__ a plain member', () => {
    const body = bodyOf({ extraParams: JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject })
    expect(Object.getPrototypeOf(body)).to.equal(Object.prototype)
    expect(JSON.stringify(body)).to.contain('"__proto__":{"polluted":true}')
  })

  it('sends one limit, preferably the specific one, under the name that the model takes', () => {
    expect(bodyOf({ settings: { max_tokens: 10, max_completion_tokens: 20 } }))
      .to.include({ max_completion_tokens: 20 })
      .and.not.have.property('max_tokens')
    const quirks = { max_completion_tokens_models: '^gpt-5' }
    expect(bodyOf({ model: 'gpt-5-mini', settings: { max_tokens: 10 } }, quirks))
      .to.include({ max_completion_tokens: 10 })
      .and.not.have.property('max_tokens')
    expect(bodyOf({ model: 'gpt-4o', settings: { max_tokens: 10 } }, quirks)).to.include({ max_tokens: 10 })
  })
})

describe('quirks of brands, as data', () => {
  it('sends calls and results as text if a brand refuses tools', () => {
    const body = bodyOf(
      { messages: toolTurn, tools: [getTime] },
      { tools: false, alternating_roles: true, content: 'text', stream_options: false },
    )
    expect(body).to.not.have.any.keys('tools', 'stream_options')
    expect(body['messages']).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What time is it?' },
      { role: 'assistant', content: '(called get_time with {"timezone":"Europe/Berlin"})' },
      { role: 'user', content: '(get_time answered: 12:00)' },
    ])
  })

  it('replaces images and files by text if a brand takes only text, text files with their content', () => {
    const content = [{ type: 'text', text: 'Look' }, image, notes, { ...notes, media_type: 'application/pdf', name: 'a.pdf' }] as const
    const { messages } = bodyOf(
      {
        messages: [
          { role: 'user', content },
          { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'shot', content }] },
        ],
      },
      { content: 'text' },
    )
    const told = `Look\n(image left out)\n${fileAsText(notes).text}\n(file a.pdf left out)`
    expect(messages).to.deep.equal([
      { role: 'user', content: told },
      { role: 'tool', tool_call_id: 'c', content: told },
    ])
  })

  it('sends the images of a result if a brand takes images and refuses tools', () => {
    const result = { type: 'tool_result', call_id: 'c', name: 'shot', content: [image] } as const
    expect(bodyOf({ messages: [{ role: 'tool', content: [result] }] }, { tools: false })['messages']).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: '(shot answered: (see image))' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  it('joins adjacent messages of one role if roles must alternate', () => {
    const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
    expect(bodyOf({ messages: [user('One'), user('Two')] }, { alternating_roles: true })['messages']).to.deep.equal([
      { role: 'user', content: 'One\n\nTwo' },
    ])
  })

  it('hashes foreign call ids to the length that a brand requires, the same for call and result', () => {
    const messages = bodyOf({ messages: toolTurn }, { tool_call_id_length: 9 })['messages'] as readonly JsonObject[]
    const id = (messages[2]?.['tool_calls'] as readonly JsonObject[] | undefined)?.[0]?.['id']
    expect(id).to.match(/^[A-Za-z0-9]{9}$/)
    expect(messages[3]?.['tool_call_id']).to.equal(id)
  })

  it('uses the brand’s names for a required call, the seed and the schema of an answer', () => {
    const quirks = { required_tool_choice: 'any', seed_field: 'random_seed', structured_output: 'json_object' }
    const body = bodyOf(
      { tools: [getTime], toolChoice: 'required', settings: { seed: 3 }, responseSchema: { name: 'n', schema: { type: 'object' } } },
      quirks,
    )
    expect(body).to.include({ tool_choice: 'any', random_seed: 3 }).and.not.have.property('seed')
    expect(body['response_format']).to.deep.equal({ type: 'json_object' })
    expect(JSON.stringify(body['messages'])).to.contain('JSON Schema')
  })

  it('sends opaque reasoning back only to its vendor and model', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm', signature: 'abc', index: 0 }]
    const echoOf = (vendor: string) =>
      bodyOf({
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'Hm', opaque: { vendor, data: { field: 'reasoning_details', value: details } } },
              { type: 'text', text: 'Yes' },
            ],
          },
        ],
      })['messages']
    expect(echoOf('openai-completions:custom:model-1')).to.deep.equal([{ role: 'assistant', content: 'Yes', reasoning_details: details }])
    expect(echoOf('openai-completions:custom:model-2')).to.deep.equal([{ role: 'assistant', content: 'Yes' }])
    expect(echoOf('openai-completions:other:model-1')).to.deep.equal([{ role: 'assistant', content: 'Yes' }])
  })
})
