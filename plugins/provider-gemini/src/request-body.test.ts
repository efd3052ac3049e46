import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { buildRequestBody } from './generate-content/build-request.js'
import { readQuirks } from './generate-content/quirks.js'
import { geminiRequest, vendor } from './test-support/adapter.js'

const bodyOf = (changes: Partial<ModelRequest>, quirks: JsonObject = {}): JsonObject =>
  buildRequestBody(geminiRequest('http://127.0.0.1', changes), { quirks: readQuirks(quirks), openApiOnly: false })
const contentsOf = (messages: readonly ModelMessage[], model = 'gemini-3-pro'): unknown => bodyOf({ messages, model })['contents']

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const text = (value: string) => ({ type: 'text', text: value }) as const
const parameters = { type: 'object', properties: { zone: { type: 'string' } }, additionalProperties: false }
const getTime = { name: 'get_time', description: 'Tells the time.', parameters }
const call = (id: string, data?: JsonObject) =>
  ({
    type: 'tool_call',
    call_id: id,
    provider_call_id: `theirs-${id}`,
    name: 'get_time',
    arguments: { zone: id },
    ...(data && { opaque: { vendor, data } }),
  }) as const
const result = (id: string, words: string) => ({ type: 'tool_result', call_id: id, name: 'get_time', content: [text(words)] }) as const
const response = (output: string, more: JsonObject = {}) => ({ functionResponse: { ...more, name: 'get_time', response: { output } } })

describe('the body of a generate-content request', () => {
  it('has no turn of the model that is only thoughts and signatures', () => {
    const signed = { opaque: { vendor, data: { thoughtSignature: 'sig' } } }
    const contents = (content: Extract<ModelMessage, { role: 'assistant' }>['content']) =>
      contentsOf([user('Hi'), { role: 'assistant', content }, user('Go on.')]) as readonly JsonObject[]
    for (const alone of [{ type: 'reasoning', text: 'Hm', ...signed } as const, { ...text(''), ...signed }])
      expect(contents([alone]).map(({ role }) => role)).to.deep.equal(['user', 'user'])
    expect(contents([text('Noon.'), { ...text(''), ...signed }])[1]).to.deep.equal({
      role: 'model',
      parts: [{ text: 'Noon.' }, { text: '', thoughtSignature: 'sig' }],
    })
  })

  it('sends messages, tools and settings under their wire names, in a fixed order', () => {
    const body = bodyOf({
      messages: [{ role: 'system', content: [text('Be brief.'), text('')] }, user('What time is it?')],
      tools: [getTime],
      toolChoice: 'auto',
      settings: {
        max_tokens: 100,
        temperature: 0.5,
        top_p: 0.9,
        top_k: 4,
        stop_sequences: ['END'],
        candidate_count: 1,
        thinking_config: { thinking_budget: -1, include_thoughts: true },
      },
    })
    expect(body).to.deep.equal({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'get_time', description: 'Tells the time.', parametersJsonSchema: parameters }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      contents: [{ role: 'user', parts: [{ text: 'What time is it?' }] }],
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        topK: 4,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        candidateCount: 1,
        thinkingConfig: { thinkingBudget: -1, includeThoughts: true },
      },
    })
    expect(Object.keys(body)).to.deep.equal(['systemInstruction', 'tools', 'toolConfig', 'contents', 'generationConfig'])
    expect(bodyOf({})).to.have.all.keys('contents')
  })

  it('has no empty text among the values of a schema, which the vendor refuses', () => {
    const kind = { type: 'string', enum: ['', 'a'], default: '' }
    const schema = { type: 'object', properties: { kind, none: { type: 'string', enum: [''] }, enum: { type: 'string' } } }
    for (const quirks of [{}, { schemas: 'openapi' }]) {
      const body = bodyOf({ tools: [{ ...getTime, parameters: schema }] }, quirks)
      expect(JSON.stringify(body).match(/"enum":\[[^\]]*\]/g), JSON.stringify(quirks)).to.deep.equal(['"enum":["a"]'])
    }
    const answered = bodyOf({ responseSchema: { name: 'kind', schema } })
    expect(JSON.stringify(answered).match(/"enum":\[[^\]]*\]/g)).to.deep.equal(['"enum":["a"]'])
  })

  it('maps each tool choice', () => {
    const choice = (toolChoice: NonNullable<ModelRequest['toolChoice']>) => bodyOf({ tools: [getTime], toolChoice })['toolConfig']
    expect(choice('none')).to.deep.equal({ functionCallingConfig: { mode: 'NONE' } })
    expect(choice('required')).to.deep.equal({ functionCallingConfig: { mode: 'ANY' } })
    expect(choice({ name: 'get_time' })).to.deep.equal({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_time'] } })
    expect(bodyOf({ tools: [getTime] })).to.not.have.property('toolConfig')
  })

  it('requests an answer by a schema, or by an instruction if a model refuses that beside tools', () => {
    const responseSchema = { name: 'person', schema: { $schema: 'x', type: 'object', properties: { age: { type: 'integer' } } } }
    const { $schema: _, ...schema } = responseSchema.schema
    expect(bodyOf({ responseSchema })['generationConfig']).to.deep.equal({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    })
    expect(bodyOf({ responseSchema, tools: [getTime] })['generationConfig']).to.deep.include({ responseJsonSchema: schema })
    const older = bodyOf({ responseSchema, tools: [getTime], model: 'gemini-2.5-flash' })
    expect(older).to.not.have.property('generationConfig')
    expect(JSON.stringify(older['systemInstruction'])).to.contain('JSON Schema')
    expect(bodyOf({ responseSchema }, { schemas: 'openapi' })['generationConfig']).to.deep.include({
      responseSchema: { type: 'OBJECT', properties: { age: { type: 'INTEGER' } } },
    })
  })

  it('gives no schema to a tool without arguments, and merges extra parameters last', () => {
    const body = bodyOf({
      tools: [{ ...getTime, parameters: { type: 'object', properties: {} } }],
      extraParams: { generationConfig: { temperature: null }, safetySettings: [] },
      settings: { temperature: 1, max_tokens: 5 },
    })
    expect(body['tools']).to.deep.equal([{ functionDeclarations: [{ name: 'get_time', description: 'Tells the time.' }] }])
    expect(body).to.deep.include({ generationConfig: { temperature: null, maxOutputTokens: 5 }, safetySettings: [] })
  })

  it('converts names of tools, the same for a tool, its calls and their results', () => {
    const name = '1st/tool ü'
    const body = bodyOf({
      messages: [
        user('Go'),
        { role: 'assistant', content: [{ ...call('a'), name }] },
        { role: 'tool', content: [{ ...result('a', 'x'), name }] },
      ],
      tools: [{ ...getTime, name }],
      toolChoice: { name },
    })
    const names = JSON.stringify(body).match(/tool_1st_tool_[a-z0-9_]+/g) ?? []
    expect(names).to.have.length(4)
    expect(new Set(names).size).to.equal(1)
  })
})

describe('the contents of a generate-content request', () => {
  it('begin with the user, contain no empty message, and keep later instructions in their position', () => {
    expect(
      contentsOf([
        { role: 'assistant', content: [text('Hello')] },
        user(''),
        { role: 'system', content: [text('Be kind.')] },
        { role: 'assistant', content: [text('')] },
        user('Hi'),
      ]),
    ).to.deep.equal([
      { role: 'user', parts: [{ text: '(The conversation goes on.)' }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
      { role: 'user', parts: [{ text: '<system>\nBe kind.\n</system>' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ])
  })

  it('contain all results of a turn together, in the order of the calls, with the vendor’s ids', () => {
    const contents = contentsOf([
      user('Go'),
      { role: 'assistant', content: [call('a', { thoughtSignature: 'c2ln', id: 'call_7' }), call('b')] },
      { role: 'tool', content: [result('b', '2')] },
      { role: 'tool', content: [{ ...result('a', '1'), is_error: true }] },
      user('On'),
    ])
    expect(contents).to.deep.equal([
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_7', name: 'get_time', args: { zone: 'a' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'get_time', args: { zone: 'b' } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'call_7', name: 'get_time', response: { error: '1' } } }, response('2')] },
      { role: 'user', parts: [{ text: 'On' }] },
    ])
  })

  it('return signatures on their own part, empty texts too, only to their brand and model', () => {
    const opaque = (data: JsonObject, of = vendor) => ({ opaque: { vendor: of, data } })
    const other = { executableCode: { language: 'PYTHON', code: '1' } }
    const parts = (of: string) =>
      contentsOf([
        user('Go'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'A summary.' },
            { type: 'reasoning', text: 'A thought.', ...opaque({ thoughtSignature: 'YQ==' }, of) },
            { type: 'reasoning', text: '', ...opaque({ part: other }, of) },
            { type: 'text', text: 'Hello' },
            { type: 'text', text: '', ...opaque({ thoughtSignature: 'Yg==' }, of) },
            { type: 'image', media_type: 'image/png', data: 'AAAA', ...opaque({ thoughtSignature: 'Yw==' }, of) },
          ],
        },
      ])
    expect(parts(vendor)).to.deep.include({
      role: 'model',
      parts: [
        { text: 'A thought.', thought: true, thoughtSignature: 'YQ==' },
        other,
        { text: 'Hello' },
        { text: '', thoughtSignature: 'Yg==' },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'Yw==' },
      ],
    })
    for (const of of [
      'google-generate-content:custom:gemini-3-flash',
      'google-generate-content:google:gemini-3-pro',
      'anthropic-messages:custom:gemini-3-pro',
    ])
      expect(parts(of)).to.deep.include({
        role: 'model',
        parts: [{ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      })
  })

  it('mark calls of other models once a step, if a model checks signatures', () => {
    const history: readonly ModelMessage[] = [
      user('Go'),
      {
        role: 'assistant',
        content: [{ ...call('a'), opaque: { vendor: 'openai-responses:openai:gpt-5', data: { encrypted_content: 'gAAAA' } } }, call('b')],
      },
      { role: 'tool', content: [result('a', '1'), result('b', '2')] },
      { role: 'assistant', content: [call('c')] },
      { role: 'tool', content: [result('c', '3')] },
    ]
    const signatures = (model: string): unknown =>
      (contentsOf(history, model) as readonly { readonly parts: readonly JsonObject[] }[]).flatMap(({ parts }) =>
        parts.map((part) => part['thoughtSignature']),
      )
    const skip = 'skip_thought_signature_validator'
    for (const model of ['gemini-3-pro', 'gemini-3.1-flash', 'models/gemini-flash-latest', 'gemini-4'])
      expect(signatures(model), model).to.deep.equal([undefined, skip, undefined, undefined, undefined, skip, undefined])
    for (const model of ['gemini-2.5-flash', 'gemini-2.0-flash', 'gemini-1.5-pro', 'models/gemini-2.5-pro', 'gemma-3-27b-it'])
      expect(signatures(model), model).to.deep.equal(Array.from({ length: 7 }, () => undefined))
    expect(JSON.stringify(contentsOf(history))).to.not.contain('gAAAA')
  })

  it('contain images and files of a person', () => {
    expect(
      contentsOf([
        {
          role: 'user',
          content: [
            { type: 'image', media_type: 'image/png', data: 'AAAA' },
            { type: 'image', media_type: 'image/png', url: 'https://example.org/a.png' },
            { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'BBBB' },
            { type: 'file', media_type: 'application/json', name: 'a.json', data: 'e30=' },
            { type: 'file', media_type: 'application/zip', name: 'a.zip', data: 'CCCC' },
          ],
        },
      ]),
    ).to.deep.equal([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { mimeType: 'image/png', fileUri: 'https://example.org/a.png' } },
          { inlineData: { mimeType: 'application/pdf', data: 'BBBB' } },
          { inlineData: { mimeType: 'text/plain', data: 'e30=' } },
          { text: '(the file a.zip of the type application/zip, which this model cannot read)' },
        ],
      },
    ])
  })

  it('contain images of a result: inside it if the model takes that, else after the results', () => {
    const history: readonly ModelMessage[] = [
      user('Go'),
      { role: 'assistant', content: [call('a')] },
      {
        role: 'tool',
        content: [{ ...result('a', 'Seen'), content: [text('Seen'), { type: 'image', media_type: 'image/png', data: 'AAAA' }] }],
      },
    ]
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    expect((contentsOf(history) as readonly JsonObject[]).slice(2)).to.deep.equal([
      { role: 'user', parts: [{ functionResponse: { name: 'get_time', response: { output: 'Seen' }, parts: [image] } }] },
    ])
    expect((contentsOf(history, 'gemini-2.5-flash') as readonly JsonObject[]).slice(2)).to.deep.equal([
      { role: 'user', parts: [response('Seen')] },
      { role: 'user', parts: [{ text: '(images from the tools)' }, image] },
    ])
  })
})
