import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { brandQuirks } from '../test-support/recordings.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} } }
const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
const user = (text: string, name?: string) =>
  ({ role: 'user', ...(name !== undefined && { name }), content: [{ type: 'text', text }] }) as const

describe('fields that a completions request declares', () => {
  const adapter = createTestAdapter()
  const json = (status: number, body: JsonObject): Replay => ({
    status,
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify(body))],
  })
  const good = json(200, { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] })
  const refused = (message: string, param: string): Replay =>
    json(400, { error: { message, param, type: 'invalid_request_error', code: null } })
  let answer: (body: JsonObject) => Replay = () => good
  let server: ReplayServer
  beforeEach(async () => {
    answer = () => good
    server = await startReplayServer(({ body }) => answer(JSON.parse(body) as JsonObject))
  })
  afterEach(() => server.close())

  const call = (changes: Partial<ModelRequest>, brand?: string) =>
    outcomeOf(adapter, requestTo(server.baseUrl, { ...(brand !== undefined && { quirks: brandQuirks(brand) }), ...changes }))
  const sent = async (changes: Partial<ModelRequest>, brand?: string): Promise<JsonObject> => {
    const { error } = await call(changes, brand)
    if (error) throw error
    return JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject
  }
  const refusal = async (changes: Partial<ModelRequest>, brand: string): Promise<string> => {
    const before = server.seen.length
    const { error } = await call(changes, brand)
    expect(error?.details).to.include({ failure: 'bad_request', retryable: false })
    expect(server.seen).to.have.length(before)
    return error?.message ?? ''
  }

  it('are sent under the names of the protocol', async () => {
    const body = await sent({
      messages: [user('Look', 'ada'), { role: 'user', content: [{ ...image, detail: 'low' }] }],
      tools: [{ ...tool, strict: true }],
      parallelToolCalls: false,
      logprobs: { top: 3 },
      logitBias: { '7': -100 },
      responseSchema: { ...schema, strict: true, description: 'A zone.' },
    })
    expect(body).to.deep.include({ parallel_tool_calls: false, logprobs: true, top_logprobs: 3, logit_bias: { '7': -100 } })
    expect(body).to.have.nested.property('tools[0].function.strict', true)
    expect(body['response_format']).to.deep.equal({
      type: 'json_schema',
      json_schema: { name: 'zone', description: 'A zone.', schema: schema.schema, strict: true },
    })
    expect(body).to.have.nested.property('messages[0].name', 'ada')
    expect(body).to.have.nested.property('messages[1].content[0].image_url.detail', 'low')
  })

  it('are json_object where the brand has it, and words where it has none', async () => {
    expect(await sent({ jsonObject: true }, 'deepseek')).to.deep.include({ response_format: { type: 'json_object' } })
    const told = await sent({ jsonObject: true }, 'mira')
    expect(told).to.not.have.property('response_format')
    expect(JSON.stringify(told['messages'])).to.contain('one JSON object')
  })

  it('are refused before the call where the brand rules them out', async () => {
    expect(await refusal({ tools: [tool], required: ['tools'] }, 'perplexity')).to.contain('takes no tools')
    expect(await refusal({ messages: [user('Hi', 'ada')] }, 'perplexity')).to.contain('“name”')
    expect(await refusal({ responseSchema: { ...schema, strict: true } }, 'deepseek')).to.contain('cannot enforce a schema')
    const seen = [{ role: 'user', content: [image] } as const]
    expect(await refusal({ messages: seen, required: ['images'] }, 'deepseek')).to.contain('takes text only')
    const pdf = { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'AAAA' } as const
    const withFile = { messages: [{ role: 'user', content: [pdf] } as const], required: ['files'] }
    expect(await refusal(withFile, 'deepseek')).to.contain('files of text only')
    const forced = { tools: [tool], toolChoice: 'required', required: ['tool_choice'] } as const
    expect(await refusal(forced, 'moonshotai')).to.contain('cannot be made to call a tool')
    // An agent's tools and images are replaced by notes there, as ever.
    expect(await sent({ tools: [tool] }, 'perplexity')).to.not.have.property('tools')
  })

  it('have the limit of the answer under the name that the model takes', async () => {
    const asked = { settings: { max_completion_tokens: 9 }, required: ['max_completion_tokens'] }
    expect(await sent({ ...asked, model: 'gpt-4o' }, 'openai'))
      .to.include({ max_completion_tokens: 9 })
      .and.not.have.property('max_tokens')
    expect(await sent({ settings: { max_tokens: 9 }, model: 'gpt-5' }, 'openai')).to.include({ max_completion_tokens: 9 })
    expect(await sent(asked, 'groq'))
      .to.include({ max_tokens: 9 })
      .and.not.have.property('max_completion_tokens')
    // The operator's own choice of the name is kept.
    expect(await sent({ settings: { max_completion_tokens: 9 } }, 'groq')).to.include({ max_completion_tokens: 9 })
  })

  it('are never left out because a server refuses them, unlike those of the configuration', async () => {
    const words = 'Unrecognized request argument supplied: parallel_tool_calls'
    answer = (body) => ('parallel_tool_calls' in body ? refused(words, 'parallel_tool_calls') : good)
    expect((await call({ tools: [tool], extraParams: { parallel_tool_calls: false } })).error).to.equal(undefined)
    // Also once the endpoint is known to refuse the field.
    expect((await call({ tools: [tool], parallelToolCalls: false })).error?.details).to.include({ failure: 'bad_request' })
    answer = (body) => ('seed' in body ? refused('Unrecognized request argument supplied: seed', 'seed') : good)
    const azure = { settings: { seed: 7 } }
    expect(
      (await outcomeOf(adapter, requestTo(server.baseUrl, { ...azure, quirks: { drop_unknown_fields: true }, model: 'm2' }))).error,
    ).to.equal(undefined)
    const insisting = requestTo(server.baseUrl, { ...azure, quirks: { drop_unknown_fields: true }, model: 'm2', required: ['seed'] })
    expect((await outcomeOf(adapter, insisting)).error?.details).to.include({ failure: 'bad_request' })
  })

  it('bring log probabilities of the text alone, streamed as in one piece', async () => {
    const tokens = ['Hel', 'lo'].map((token) => ({ token, logprob: -1, bytes: null, top_logprobs: [{ token: 'x', logprob: -2 }] }))
    const event = (choice: JsonObject): Uint8Array => bytesOf(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    const streamed: Replay = {
      pieces: [
        event({ delta: { reasoning_content: 'Hm' }, logprobs: { content: [{ token: 'Hm', logprob: -3 }] } }),
        ...tokens.map((token) => event({ delta: { content: token.token }, logprobs: { content: [token] } })),
        event({ delta: {}, finish_reason: 'stop' }),
      ],
    }
    answer = () => streamed
    const first = await call({ logprobs: { top: 1 } })
    const message = { content: 'Hello', reasoning_content: 'Hm' }
    answer = () => json(200, { choices: [{ index: 0, message, logprobs: { content: tokens }, finish_reason: 'stop' }] })
    const second = await call({ logprobs: { top: 1 }, stream: false })
    const expected = tokens.map(({ token, logprob }) => ({ token, logprob, top: [{ token: 'x', logprob: -2 }] }))
    expect(first.finished?.logprobs).to.deep.equal([{ part: 1, tokens: expected }])
    expect(second.finished?.logprobs).to.deep.equal(first.finished?.logprobs)
    const deltas = first.events.flatMap((each) => (each.type === 'text.delta' ? (each.logprobs ?? []) : []))
    expect(deltas).to.deep.equal(expected)
    answer = () => streamed
    expect((await call({})).finished).to.not.have.property('logprobs')
  })
})
