import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { converseRequest } from '../test-support/adapter.js'
import { buildRequestBody, type RequestForm } from './build-request.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { structuredForm } from './structured-answer.js'

const bodyOf = (changes: Partial<ModelRequest>, form: Partial<RequestForm> = {}): JsonObject =>
  buildRequestBody(converseRequest('http://127.0.0.1/v1', changes), { structured: undefined, cachePoints: false, status: true, ...form })

const user = (...content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = (id: string, name = 'get_time', parameters: JsonObject = {}) =>
  ({ type: 'tool_call', call_id: `ours-${id}`, provider_call_id: id, name, arguments: parameters }) as const
const result = (id: string, words: string, more: JsonObject = {}) =>
  ({ type: 'tool_result', call_id: `ours-${id}`, provider_call_id: id, name: 'get_time', content: [text(words)], ...more }) as const
const getTime = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const getTimeSpec = { toolSpec: { name: 'get_time', description: 'Tells the time.', inputSchema: { json: getTime.parameters } } }

const toolTurn: readonly ModelMessage[] = [
  { role: 'system', content: [text('Be brief.')] },
  user(text('What time is it, here and there?')),
  { role: 'assistant', content: [text('I look.'), call('t1', 'get_time', { timezone: 'Europe/Berlin' }), call('t2')] },
  { role: 'tool', content: [result('t1', '12:00'), result('t2', 'No such zone.', { is_error: true })] },
]

describe('the body of a Converse request', () => {
  it('sends no reasoning that nothing of its answer follows', () => {
    const signed = {
      type: 'reasoning',
      text: 'Hm',
      opaque: { vendor: opaqueVendor('custom', 'model-1'), data: { reasoningText: { text: 'Hm', signature: 's' } } },
    } as const
    const echo = { reasoningContent: signed.opaque.data }
    const turns = (content: Extract<ModelMessage, { role: 'assistant' }>['content']) =>
      bodyOf({ messages: [user(text('Hi')), { role: 'assistant', content }, user(text('Go on.'))] })['messages']
    const asked = { role: 'user', content: [{ text: 'Hi' }, { text: 'Go on.' }] }
    expect(turns([signed])).to.deep.equal([asked])
    expect(turns([signed, text(' ')])).to.deep.equal([asked])
    expect((turns([signed, text('Noon.'), signed]) as readonly JsonObject[])[1]).to.deep.equal({
      role: 'assistant',
      content: [echo, { text: 'Noon.' }],
    })
  })

  it('keeps a trailing system text after the cache point', () => {
    const messages: readonly ModelMessage[] = [...toolTurn, { role: 'system', content: [text('It is raining.')] }]
    const body = bodyOf({ messages, tools: [getTime] }, { cachePoints: true })
    expect(body['system']).to.deep.equal([{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }])
    const last = (body['messages'] as readonly { readonly content: readonly JsonObject[] }[]).at(-1)
    expect(last?.content.slice(-2)).to.deep.equal([{ cachePoint: { type: 'default' } }, { text: '<system>\nIt is raining.\n</system>' }])
  })

  it('sends messages, tools and settings under their wire names, in an order that never changes', () => {
    const body = bodyOf({
      messages: toolTurn,
      tools: [getTime],
      toolChoice: 'auto',
      settings: { max_tokens: 100, temperature: 0.5, top_p: 0.9, stop_sequences: ['END'] },
      extraParams: { additionalModelRequestFields: { top_k: 5 } },
    })
    expect(body).to.deep.equal({
      toolConfig: { tools: [getTimeSpec], toolChoice: { auto: {} } },
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'What time is it, here and there?' }] },
        {
          role: 'assistant',
          content: [
            { text: 'I look.' },
            { toolUse: { toolUseId: 't1', name: 'get_time', input: { timezone: 'Europe/Berlin' } } },
            { toolUse: { toolUseId: 't2', name: 'get_time', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 't1', content: [{ text: '12:00' }] } },
            { toolResult: { toolUseId: 't2', content: [{ text: 'No such zone.' }], status: 'error' } },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
      additionalModelRequestFields: { top_k: 5 },
    })
    expect(Object.keys(body)).to.deep.equal(['toolConfig', 'system', 'messages', 'inferenceConfig', 'additionalModelRequestFields'])
    expect(JSON.stringify(bodyOf({ messages: toolTurn, tools: [getTime] }))).to.equal(
      JSON.stringify(bodyOf({ messages: structuredClone(toolTurn), tools: [structuredClone(getTime)] })),
    )
  })

  it('joins neighbours of one role: results of one turn in several messages, and what the person says after them', () => {
    const { messages } = bodyOf({
      messages: [
        user(text('a')),
        user(text('b')),
        { role: 'assistant', content: [call('t1'), call('t2')] },
        { role: 'tool', content: [result('t1', '1')] },
        { role: 'tool', content: [result('t2', '2')] },
        user(text('c')),
      ],
    })
    expect((messages as readonly JsonObject[]).map(({ role, content }) => [role, (content as readonly JsonObject[]).length])).to.deep.equal(
      [
        ['user', 2],
        ['assistant', 2],
        ['user', 3],
      ],
    )
  })

  it('drops blank texts and empty messages; a result always has content', () => {
    const { messages, system } = bodyOf({
      tools: [getTime],
      messages: [
        { role: 'system', content: [text(' \n')] },
        user(text('a'), text('  ')),
        { role: 'assistant', content: [text('')] },
        user(text('b')),
        { role: 'assistant', content: [call('t1')] },
        { role: 'tool', content: [result('t1', '')] },
      ],
    })
    expect(system).to.equal(undefined)
    expect(messages).to.deep.equal([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'get_time', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: '(no output)' }] } }] },
    ])
  })

  it('sends images, documents under unique names, and videos; in results too', () => {
    const file = (name: string, media_type: string): FilePart => ({ type: 'file', name, media_type, data: 'BBBB' })
    const { messages } = bodyOf({
      messages: [
        user(
          { type: 'image', media_type: 'image/jpeg', data: 'AAAA' },
          { type: 'image', media_type: 'image/png', url: 'data:image/png;base64,CCCC' },
          file('plan_über (1).pdf', 'application/pdf'),
          file('plan_über (1).pdf', 'application/pdf'),
          file('data.json', 'application/json'),
          file('notes.md', 'application/octet-stream'),
          file('film.mp4', 'video/mp4'),
          { type: 'file', name: 'far.csv', media_type: 'text/csv', url: 's3://bucket/far.csv' },
        ),
        { role: 'assistant', content: [call('t1')] },
        {
          role: 'tool',
          content: [
            {
              ...result('t1', 'seen'),
              content: [text('seen'), { type: 'image', media_type: 'image/webp', data: 'DDDD' }, file('a.txt', 'text/plain')],
            },
          ],
        },
      ],
    })
    const document = (format: string, name: string) => ({ document: { format, name, source: { bytes: 'BBBB' } } })
    expect((messages as readonly JsonObject[])[0]?.['content']).to.deep.equal([
      { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
      { image: { format: 'png', source: { bytes: 'CCCC' } } },
      document('pdf', 'plan ber (1)'),
      document('pdf', 'plan ber (1) (2)'),
      document('txt', 'data'),
      document('md', 'notes'),
      { video: { format: 'mp4', source: { bytes: 'BBBB' } } },
      { document: { format: 'csv', name: 'far', source: { s3Location: { uri: 's3://bucket/far.csv' } } } },
      { text: 'See the document.' },
    ])
    expect((messages as readonly JsonObject[])[2]?.['content']).to.deep.equal([
      {
        toolResult: {
          toolUseId: 't1',
          content: [{ text: 'seen' }, { image: { format: 'webp', source: { bytes: 'DDDD' } } }, document('txt', 'a')],
        },
      },
    ])
  })

  it('refuses unsupported content, with the reason', () => {
    const refused: readonly (readonly [ImagePart | FilePart, string])[] = [
      [{ type: 'image', media_type: 'image/bmp', data: 'AAAA' }, 'images of the type image/bmp'],
      [{ type: 'image', media_type: 'image/png', url: 'https://example.org/a.png' }, 'images by address'],
      [{ type: 'file', name: 'a.zip', media_type: 'application/zip', data: 'AAAA' }, 'files of the type application/zip'],
    ]
    for (const [part, words] of refused)
      expect(() => bodyOf({ messages: [user(part)] })).to.throw(`Bedrock Converse does not carry ${words}`)
  })

  it('converts names and ids, the same in call, result and specification', () => {
    const name = 'mcp.files/read a file, please: it has a name that is far longer than sixty-four characters'
    const tool = { ...getTime, name }
    const foreign = { ...call('call|x/1+2='), name }
    const body = bodyOf({
      messages: [
        user(text('a')),
        { role: 'assistant', content: [foreign] },
        { role: 'tool', content: [{ ...result('call|x/1+2=', 'b'), name }] },
      ],
      tools: [tool],
      toolChoice: { name },
    })
    const wire = JSON.stringify(body)
    const [wireName, wireId] = [/"name":"([^"]+)"/.exec(wire)?.[1] ?? '', /"toolUseId":"([^"]+)"/.exec(wire)?.[1] ?? '']
    expect(wireName).to.match(/^[A-Za-z0-9_-]{1,64}$/)
    expect(wireId).to.match(/^[A-Za-z0-9_-]{1,64}$/)
    expect(wire.split(`"${wireName}"`)).to.have.length(4)
    expect(wire.split(`"${wireId}"`)).to.have.length(3)
  })

  it('maps each tool choice; “none” removes the tools, unless the conversation has calls', () => {
    const choice = (toolChoice: ModelRequest['toolChoice']) =>
      (bodyOf({ tools: [getTime], ...(toolChoice && { toolChoice }) })['toolConfig'] as JsonObject)?.['toolChoice']
    expect(choice('required')).to.deep.equal({ any: {} })
    expect(choice({ name: 'get_time' })).to.deep.equal({ tool: { name: 'get_time' } })
    expect(choice(undefined)).to.equal(undefined)
    expect(bodyOf({ tools: [getTime], toolChoice: 'none' })).to.not.have.property('toolConfig')
    const instruction = { text: 'Answer now, without calling a tool.' }
    const forbidden = bodyOf({ messages: toolTurn, tools: [getTime], toolChoice: 'none' })
    expect(forbidden['toolConfig']).to.deep.equal({ tools: [getTimeSpec] })
    expect(forbidden['system']).to.deep.equal([{ text: 'Be brief.' }, instruction])
    const without = bodyOf({ messages: toolTurn, tools: [] })
    expect(without['toolConfig']).to.deep.equal({
      tools: [
        {
          toolSpec: { name: 'get_time', description: 'Not available any more.', inputSchema: { json: { type: 'object', properties: {} } } },
        },
      ],
    })
    expect(without['system']).to.deep.equal([{ text: 'Be brief.' }, instruction])
  })

  it('leaves out an empty description, which the protocol refuses', () => {
    const { toolConfig } = bodyOf({ tools: [{ ...getTime, description: '' }] })
    expect(toolConfig).to.deep.equal({ tools: [{ toolSpec: { name: 'get_time', inputSchema: { json: getTime.parameters } } }] })
  })

  it('marks the end of the system texts and of the last user message for the cache, if the model supports it', () => {
    const point = { cachePoint: { type: 'default' } }
    const { system, messages } = bodyOf({ messages: toolTurn, tools: [getTime] }, { cachePoints: true })
    expect((system as readonly JsonObject[]).at(-1)).to.deep.equal(point)
    const contents = (messages as readonly JsonObject[]).map(({ content }) => content as readonly JsonObject[])
    expect(contents.map((content) => content.filter((block) => 'cachePoint' in block).length)).to.deep.equal([0, 0, 1])
    expect(contents.at(-1)?.at(-1)).to.deep.equal(point)
  })

  it('reports a failed tool only to models that support it', () => {
    expect(JSON.stringify(bodyOf({ messages: toolTurn }, { status: false }))).to.not.contain('"status"')
  })

  it('drops reasoning of others, and unsigned reasoning', () => {
    const opaque = (vendor: string) => ({ vendor, data: { reasoningText: { text: 'Hm.', signature: 'sig' } } })
    const parts = (vendor: string) =>
      [{ type: 'reasoning', text: 'Hm.', opaque: opaque(vendor) }, { type: 'reasoning', text: 'Plain.' }, text('Yes.')] as const
    const sent = (vendor: string) =>
      (
        bodyOf({ messages: [user(text('a')), { role: 'assistant', content: parts(vendor) }, user(text('b'))] })[
          'messages'
        ] as readonly JsonObject[]
      )[1]
    expect(sent('bedrock-converse:custom:model-1')).to.deep.equal({
      role: 'assistant',
      content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } }, { text: 'Yes.' }],
    })
    expect(sent('anthropic-messages:custom:model-1')).to.deep.equal({ role: 'assistant', content: [{ text: 'Yes.' }] })
  })

  const schema: JsonObject = { type: 'object', properties: { city: { type: 'string' } } }
  const structured = (changes: Partial<ModelRequest>, outputConfig: boolean) => {
    const request = { responseSchema: { name: 'place', schema }, ...changes }
    return bodyOf(request, { structured: structuredForm(converseRequest('http://127.0.0.1/v1', request), outputConfig) })
  }
  const answerSpec = {
    toolSpec: {
      name: 'place',
      description: 'Gives the answer. Call it once, with the whole answer as its arguments.',
      inputSchema: { json: schema },
    },
  }

  it('requests an answer by a schema in outputConfig, if the model supports it', () => {
    const body = structured({ tools: [getTime] }, true)
    expect(body['outputConfig']).to.deep.equal({
      textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'place' } } },
    })
    expect(body['toolConfig']).to.deep.equal({ tools: [getTimeSpec] })
  })

  it('requests it as a required tool otherwise; beside other tools, one of them is required', () => {
    expect(structured({}, false)['toolConfig']).to.deep.equal({ tools: [answerSpec], toolChoice: { tool: { name: 'place' } } })
    expect(structured({ tools: [getTime] }, false)['toolConfig']).to.deep.equal({
      tools: [getTimeSpec, answerSpec],
      toolChoice: { any: {} },
    })
    const taken = structured({ tools: [{ ...getTime, name: 'place' }] }, false)['toolConfig'] as {
      readonly tools: readonly { readonly toolSpec: JsonObject }[]
    }
    expect(taken.tools.map(({ toolSpec }) => toolSpec['name'])).to.deep.equal(['place', 'place_answer'])
  })

  it('only asks for the call if the model reasons, which rules out a required tool', () => {
    const body = structured(
      { extraParams: { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } } } },
      false,
    )
    expect(body['toolConfig']).to.deep.equal({ tools: [answerSpec] })
    expect(body['system']).to.deep.equal([{ text: 'Give your answer by calling the tool place.' }])
  })
})
