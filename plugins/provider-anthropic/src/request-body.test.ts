import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { buildRequestBody } from './messages/build-request.js'
import { readQuirks } from './messages/quirks.js'
import { messagesRequest } from './test-support/adapter.js'

const bodyOf = (changes: Partial<ModelRequest>): JsonObject =>
  buildRequestBody(messagesRequest('http://127.0.0.1', { stream: false, ...changes }), { quirks: readQuirks({}), oneSampling: false })
const messagesOf = (...messages: readonly ModelMessage[]): unknown => bodyOf({ messages })['messages']

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const text = (value: string) => ({ type: 'text', text: value }) as const
const getTime = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const call = (id: string, name = 'get_time') =>
  ({ type: 'tool_call', call_id: `ours-${id}`, provider_call_id: id, name, arguments: { zone: 1 } }) as const
const result = (id: string, words: string, name = 'get_time') =>
  ({ type: 'tool_result', call_id: `ours-${id}`, provider_call_id: id, name, content: [text(words)] }) as const

describe('the body of a messages request', () => {
  it('sends messages, tools and settings under their wire names, in a fixed order', () => {
    const body = bodyOf({
      messages: [
        { role: 'system', content: [text('Be brief.'), text('')] },
        user('What time is it?'),
        { role: 'assistant', content: [text('I look.'), call('toolu_1')] },
        { role: 'tool', content: [result('toolu_1', '12:00')] },
      ],
      tools: [getTime],
      toolChoice: 'auto',
      settings: { max_tokens: 100, temperature: 0.5, top_k: 4, top_p: 0.9, stop_sequences: ['END'] },
      stream: true,
    })
    expect(body).to.deep.equal({
      model: 'model-1',
      max_tokens: 100,
      system: [text('Be brief.')],
      tools: [{ name: 'get_time', description: 'Tells the time.', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'auto' },
      messages: [
        { role: 'user', content: [text('What time is it?')] },
        { role: 'assistant', content: [text('I look.'), { type: 'tool_use', id: 'toolu_1', name: 'get_time', input: { zone: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [text('12:00')] }] },
      ],
      temperature: 0.5,
      top_k: 4,
      top_p: 0.9,
      stop_sequences: ['END'],
      stream: true,
    })
    expect(Object.keys(body).slice(0, 6)).to.deep.equal(['model', 'max_tokens', 'system', 'tools', 'tool_choice', 'messages'])
  })

  it('always has the limit that the protocol requires', () => {
    expect(bodyOf({})['max_tokens']).to.equal(8_192)
  })

  it('leaves out members of arguments whose names the vendor refuses', () => {
    const properties = { zone: {}, 'filter[name]': {}, größe: {}, ['x'.repeat(65)]: {}, 'a.b-c_D9': {} }
    const parameters = { type: 'object', properties, required: ['zone', 'größe'] }
    const [tool] = bodyOf({ tools: [{ ...getTime, parameters }] })['tools'] as readonly JsonObject[]
    expect(tool?.['input_schema']).to.deep.equal({ type: 'object', properties: { zone: {}, 'a.b-c_D9': {} }, required: ['zone'] })
    const strict = bodyOf({ tools: [{ ...getTime, parameters, strict: true }] })['tools'] as readonly JsonObject[]
    expect(strict[0]?.['input_schema']).to.deep.equal(parameters)
  })

  it('maps each tool choice', () => {
    const choice = (toolChoice: NonNullable<ModelRequest['toolChoice']>) => bodyOf({ tools: [getTime], toolChoice })['tool_choice']
    expect(choice('none')).to.deep.equal({ type: 'none' })
    expect(choice('required')).to.deep.equal({ type: 'any' })
    expect(choice({ name: 'get_time' })).to.deep.equal({ type: 'tool', name: 'get_time' })
    expect(bodyOf({ tools: [getTime] })).to.not.have.property('tool_choice')
    expect(bodyOf({ toolChoice: 'auto' })).to.not.have.property('tool_choice')
  })

  it('declares the tools of past calls even if no tool may be called', () => {
    const body = bodyOf({
      messages: [
        user('Go'),
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a', '1'), result('b', '2')] },
      ],
    })
    expect(body['tools']).to.deep.equal([{ name: 'get_time', description: 'Not offered any more.', input_schema: { type: 'object' } }])
    expect(body['tool_choice']).to.deep.equal({ type: 'none' })
  })

  it('merges extra parameters last', () => {
    const body = bodyOf({
      settings: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      extraParams: { thinking: { type: 'adaptive', budget_tokens: null }, service_tier: 'auto' },
    })
    expect(body['thinking']).to.deep.equal({ type: 'adaptive', budget_tokens: null })
    expect(body['service_tier']).to.equal('auto')
  })
})

describe('the messages of a messages request', () => {
  it('alternate roles: adjacent messages of one role are joined', () => {
    expect(
      messagesOf(
        user('One'),
        user('Two'),
        { role: 'assistant', content: [text('A')] },
        { role: 'assistant', content: [text('B')] },
        user('Three'),
      ),
    ).to.deep.equal([
      { role: 'user', content: [text('One'), text('Two')] },
      { role: 'assistant', content: [text('A'), text('B')] },
      { role: 'user', content: [text('Three')] },
    ])
  })

  it('begin with the user, even if the conversation does not', () => {
    expect(messagesOf({ role: 'assistant', content: [text('Hello')] }, user('Hi'))).to.deep.equal([
      { role: 'user', content: [text('(The conversation goes on.)')] },
      { role: 'assistant', content: [text('Hello')] },
      { role: 'user', content: [text('Hi')] },
    ])
    expect(messagesOf()).to.deep.equal([{ role: 'user', content: [text('(The conversation goes on.)')] }])
  })

  it('contain no empty text and no empty message', () => {
    expect(
      messagesOf(user('Go'), { role: 'assistant', content: [text(''), text(' \n')] }, { role: 'user', content: [text('  '), text('On')] }),
    ).to.deep.equal([{ role: 'user', content: [text('Go'), text('On')] }])
  })

  it('put all results of a turn into one message, before the user’s text', () => {
    expect(
      messagesOf(
        user('Go'),
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a', '1')] },
        user('Also this'),
        { role: 'tool', content: [{ ...result('b', ''), is_error: true }] },
      ),
    ).to.deep.include({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [text('1')] },
        { type: 'tool_result', tool_use_id: 'b', is_error: true },
        text('Also this'),
      ],
    })
  })

  it('keep later instructions in their position', () => {
    expect(
      messagesOf(user('Go'), { role: 'system', content: [text('Be brief.')] }, { role: 'assistant', content: [text('Yes')] }, user('On')),
    ).to.deep.include({
      role: 'user',
      content: [text('Go'), text('<system>\nBe brief.\n</system>')],
    })
  })

  it('do not end in white space if the model is to continue', () => {
    const half = { role: 'assistant', content: [text('Once upon \n')] } as const
    expect(messagesOf(user('Go'), half)).to.deep.include({ role: 'assistant', content: [text('Once upon')] })
    expect(messagesOf(user('Go'), half, user('On'))).to.deep.include({ role: 'assistant', content: [text('Once upon \n')] })
  })

  it('contain images and files of a person and of a result', () => {
    const parts = [
      { type: 'image', media_type: 'image/png', data: 'AAAA' },
      { type: 'image', media_type: 'image/png', url: 'https://example.org/a.png' },
      { type: 'image', media_type: 'image/svg+xml', data: 'AAAA' },
      { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'BBBB' },
      { type: 'file', media_type: 'text/csv; charset=utf-8', name: 'a.csv', data: Buffer.from('a;ö').toString('base64') },
      { type: 'file', media_type: 'application/graphql', name: 'a.graphql', data: Buffer.from('{ a }').toString('base64') },
      { type: 'file', media_type: 'application/zip', name: 'a.zip', data: 'CCCC' },
      { type: 'file', media_type: 'text/plain', name: 'a.txt', data: Buffer.from([0x61, 0xff]).toString('base64') },
      { type: 'file', media_type: 'text/plain', name: 'b.txt', data: Buffer.from(' \n').toString('base64') },
    ] as const
    const blocks = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      text('(an image of the type image/svg+xml, which this model cannot see)'),
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'a.pdf' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a;ö' }, title: 'a.csv' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '{ a }' }, title: 'a.graphql' },
      text('(the file a.zip of the type application/zip, which this model cannot read)'),
      text('(the file a.txt, whose content is not text in UTF-8)'),
      text('(the file b.txt, which is empty)'),
    ]
    expect(messagesOf({ role: 'user', content: parts })).to.deep.equal([{ role: 'user', content: blocks }])
    expect(
      messagesOf(
        user('Go'),
        { role: 'assistant', content: [call('a')] },
        { role: 'tool', content: [{ ...result('a', ''), content: parts }] },
      ),
    ).to.deep.include({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: blocks }],
    })
  })

  it('convert names and ids of other vendors, the same for a tool, its calls and their results', () => {
    const id = 'call:1/ü'
    const name = 'files.read'
    const body = bodyOf({
      messages: [user('Go'), { role: 'assistant', content: [call(id, name)] }, { role: 'tool', content: [result(id, 'x', name)] }],
      tools: [{ ...getTime, name }],
    })
    const [tool] = body['tools'] as readonly JsonObject[]
    const [, asked, answered] = body['messages'] as readonly { readonly content: readonly JsonObject[] }[]
    expect(tool?.['name']).to.match(/^files_read_[0-9a-f]{8}$/)
    expect(asked?.content[0]?.['name']).to.equal(tool?.['name'])
    expect(asked?.content[0]?.['id']).to.match(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(answered?.content[0]?.['tool_use_id']).to.equal(asked?.content[0]?.['id'])
  })
})
