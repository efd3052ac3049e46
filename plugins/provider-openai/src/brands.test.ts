import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { brandQuirks } from './test-support/recordings.js'

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const model = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })
const system = (text: string): ModelMessage => ({ role: 'system', content: [{ type: 'text', text }] })
const getTime = {
  name: 'get_time',
  description: 'Tells the time.',
  parameters: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
}
const call: ModelMessage = {
  role: 'assistant',
  content: [
    { type: 'tool_call', call_id: 'a', provider_call_id: 'toolu_01ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', name: 'get_time', arguments: {} },
  ],
}
const result: ModelMessage = {
  role: 'tool',
  content: [
    {
      type: 'tool_result',
      call_id: 'a',
      provider_call_id: 'toolu_01ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
      name: 'get_time',
      content: [{ type: 'text', text: 'noon' }],
    },
  ],
}

describe('brands of the catalogue', () => {
  const adapter = createTestAdapter()
  const answerOf = (body: JsonObject): Replay => ({
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify(body))],
  })
  const hello = answerOf({ choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] })
  let answer: Replay = hello
  let server: ReplayServer
  beforeEach(async () => {
    answer = hello
    server = await startReplayServer(() => answer)
  })
  afterEach(() => server.close())

  const callBrand = (brand: string, changes: Partial<ModelRequest> = {}) => {
    const request = requestTo(server.baseUrl, { ...changes, quirks: brandQuirks(brand) })
    return outcomeOf(adapter, { ...request, connection: { ...request.connection, brand } })
  }
  const bodyFor = async (brand: string, changes: Partial<ModelRequest>): Promise<JsonObject> => {
    await callBrand(brand, changes)
    return JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject
  }
  const rolesAndTexts = (body: JsonObject): readonly unknown[] =>
    (body['messages'] as readonly JsonObject[]).map(({ role, content }) => [role, content])

  it('perplexity: turns alternate, begin and end with the user, and tool calls become text', async () => {
    const body = await bodyFor('perplexity', {
      messages: [system('Be brief.'), model('Hi'), user('One'), user('Two'), call, result, user('Three'), model('Four')],
      tools: [getTime],
    })
    expect(body).to.not.have.any.keys('tools', 'stream_options')
    expect(rolesAndTexts(body)).to.deep.equal([
      ['system', 'Be brief.'],
      ['user', '(The conversation goes on.)'],
      ['assistant', 'Hi'],
      ['user', 'One\n\nTwo'],
      ['assistant', '(called get_time with {})'],
      ['user', '(get_time answered: noon)\n\nThree'],
      ['assistant', 'Four'],
      ['user', '(The conversation goes on.)'],
    ])
  })

  it('perplexity: adjacent messages with images are joined as parts', async () => {
    const image: ModelMessage = { role: 'user', content: [{ type: 'image', media_type: 'image/png', data: 'AAAA' }] }
    const [message] = (await bodyFor('perplexity', { messages: [user('Look'), image] }))['messages'] as readonly JsonObject[]
    expect(message?.['content']).to.deep.equal([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  it('perplexity: the citations are metadata', async () => {
    answer = answerOf({ choices: [{ message: { content: 'Yes' }, finish_reason: 'stop' }], citations: ['https://x'] })
    const reasoning = await callBrand('perplexity', { model: 'sonar-reasoning-pro' })
    expect(reasoning.finished?.metadata).to.deep.equal({ citations: ['https://x'] })
  })

  it('mistral: the assistant follows a result, ids have nine characters, own field names', async () => {
    const body = await bodyFor('mistral', {
      messages: [user('One'), call, result, user('Two')],
      tools: [getTime],
      toolChoice: 'required',
      settings: { seed: 3 },
    })
    expect(body).to.include({ tool_choice: 'any', random_seed: 3 }).and.not.have.any.keys('seed', 'stream_options')
    const messages = body['messages'] as readonly JsonObject[]
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(messages[2]?.['tool_call_id']).to.match(/^[A-Za-z0-9]{9}$/)
    expect(messages[1]).to.have.nested.property('tool_calls[0].id', messages[2]?.['tool_call_id'])
  })

  it('openai and azure: foreign call ids are shortened, their own stay', async () => {
    for (const brand of ['openai', 'azure']) {
      const messages = (await bodyFor(brand, { messages: [user('One'), call, result] }))['messages'] as readonly JsonObject[]
      expect(messages[2]?.['tool_call_id']).to.match(/^call_[0-9a-f]{24}$/)
      expect(messages[1]).to.have.nested.property('tool_calls[0].id', messages[2]?.['tool_call_id'])
    }
    const messages = (await bodyFor('groq', { messages: [user('One'), call, result] }))['messages'] as readonly JsonObject[]
    expect(messages[2]?.['tool_call_id']).to.equal('toolu_01ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
  })

  it('moonshotai: no $schema, no required calls, reasoning goes back, usage beside the choice', async () => {
    const body = await bodyFor('moonshotai', { tools: [getTime], toolChoice: 'required' })
    expect(body).to.include({ tool_choice: 'auto' })
    expect(body).to.have.nested.property('tools[0].function.parameters').that.deep.equals({ type: 'object', properties: {} })
    expect((await bodyFor('groq', { tools: [getTime] }))['tools']).to.have.nested.property('[0].function.parameters.$schema')
    answer = {
      pieces: [
        bytesOf('data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm"}}]}\n\n'),
        bytesOf(
          'data: {"choices":[{"index":0,"delta":{"content":"Yes"},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":4}}]}\n\n',
        ),
        bytesOf('data: [DONE]\n\n'),
      ],
    }
    const { finished } = await callBrand('moonshotai')
    expect(finished?.usage).to.deep.equal({ input_tokens: 9, cached_input_tokens: 4, output_tokens: 2, reasoning_tokens: 0 })
    const echoed = await bodyFor('moonshotai', { messages: [user('One'), { role: 'assistant', content: finished?.content ?? [] }] })
    expect(echoed).to.have.nested.property('messages[1].reasoning_content', 'Hm')
  })

  it('deepseek: texts only, its reasoning goes back, a schema becomes an instruction', async () => {
    const image: ModelMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', media_type: 'image/png', data: 'AAAA' },
      ],
    }
    const body = await bodyFor('deepseek', { messages: [image], responseSchema: { name: 'n', schema: { type: 'object' } } })
    expect(body['response_format']).to.deep.equal({ type: 'json_object' })
    expect(JSON.stringify(body['messages'])).to.contain('(image left out)').and.contain('JSON Schema')
    answer = answerOf({ choices: [{ message: { content: '' }, finish_reason: 'insufficient_system_resource' }] })
    expect((await callBrand('deepseek')).error?.details).to.include({ failure: 'overloaded', retryable: true })
  })

  it('mira: texts only, and an answer that is a JSON text', async () => {
    answer = { headers: { 'content-type': 'application/json' }, pieces: [bytesOf('"Hello, world"')] }
    const { finished } = await callBrand('mira', { tools: [getTime], messages: [user('One'), call, result] })
    expect(finished).to.deep.include({ content: [{ type: 'text', text: 'Hello, world' }], stop_reason: 'stop' })
    const body = JSON.parse(server.seen[0]?.body ?? '{}') as JsonObject
    expect(Object.keys(body).sort()).to.deep.equal(['messages', 'model', 'stream'])
    for (const message of body['messages'] as readonly JsonObject[]) expect(Object.keys(message).sort()).to.deep.equal(['content', 'role'])
  })

  it('galadriel: never streamed, a key with the prefix Bearer, its proof kept', async () => {
    answer = answerOf({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }], hash: 'h', signature: 's', tx_hash: 't' })
    const request = requestTo(server.baseUrl, { quirks: brandQuirks('galadriel') })
    const { finished } = await outcomeOf(adapter, { ...request, connection: { ...request.connection, apiKey: 'Bearer gal-1' } })
    expect(finished?.metadata).to.deep.equal({ hash: 'h', signature: 's', tx_hash: 't' })
    expect(server.seen[0]?.headers).to.include({ authorization: 'Bearer gal-1' })
    expect(JSON.parse(server.seen[0]?.body ?? '{}')).to.not.have.any.keys('stream', 'stream_options')
  })

  it('groq: a malformed call is retryable, before and inside the answer', async () => {
    const error = {
      error: { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed', failed_generation: '<x' },
    }
    answer = { ...answerOf(error), status: 400 }
    expect((await callBrand('groq')).error?.details).to.include({ failure: 'invalid_response', retryable: true })
    answer = { pieces: [bytesOf(`event: error\ndata: ${JSON.stringify(error)}\n\n`)] }
    expect((await callBrand('groq')).error?.details).to.include({ failure: 'invalid_response', retryable: true })
    answer = { ...answerOf({ error: { message: 'Request too large: tokens per minute (TPM)', code: 'rate_limit_exceeded' } }), status: 413 }
    expect((await callBrand('groq')).error?.details).to.include({ failure: 'rate_limited', retryable: true })
  })

  it('the cost of a call, if the vendor reports it', async () => {
    const costs: readonly (readonly [string, JsonObject, number])[] = [
      ['openrouter', { cost: 0.25 }, 0.25],
      ['perplexity', { cost: { total_cost: 0.5, input_tokens_cost: 0.1 } }, 0.5],
      ['xai', { cost_in_usd_ticks: 37_756_000 }, 0.0037756],
    ]
    for (const [brand, usage, cost] of costs) {
      answer = answerOf({
        choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, ...usage },
      })
      expect((await callBrand(brand)).finished?.usage.cost_usd, brand).to.be.closeTo(cost, 1e-12)
    }
  })

  it('tool names that a vendor refuses are converted, and mapped back in the answer', async () => {
    const tool = { ...getTime, name: 'files/read it' }
    const name = ((await bodyFor('groq', { tools: [tool] }))['tools'] as readonly { readonly function: JsonObject }[])[0]?.function['name']
    expect(name).to.match(/^files_read_it_[0-9a-f]{8}$/)
    answer = answerOf({
      choices: [{ message: { tool_calls: [{ id: 'a', function: { name: String(name), arguments: '{}' } }] }, finish_reason: 'tool_calls' }],
    })
    const { finished, events } = await callBrand('groq', { tools: [tool] })
    expect(finished?.content[0]).to.include({ type: 'tool_call', name: 'files/read it' })
    expect(events.find(({ type }) => type === 'tool_call.started')).to.include({ name: 'files/read it' })
  })
})
