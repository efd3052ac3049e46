import { expect } from 'chai'
import { readCarryTable } from './support/field-table.js'
import { type FieldsKernel, startFieldsKernel } from './support/fields-kernel.js'

const weather = { name: 'weather', parameters: { type: 'object', properties: {}, required: [], additionalProperties: false } }
const tools = [{ type: 'function', function: weather }]
const schema = { name: 'report', schema: weather.parameters, strict: true }
const image = { url: 'data:image/png;base64,AAAA', detail: 'low' }

/** A request that needs what a row names. */
const requests: Readonly<Record<string, object>> = {
  'strict of a tool': { tools: [{ type: 'function', function: { ...weather, strict: true } }] },
  'strict of a schema': { response_format: { type: 'json_schema', json_schema: schema } },
  json_object: { response_format: { type: 'json_object' } },
  tool_choice: { tools, tool_choice: 'required' },
  parallel_tool_calls: { tools, parallel_tool_calls: false },
  logprobs: { logprobs: true, top_logprobs: 2 },
  logit_bias: { logit_bias: { '7': 1 } },
  name: { messages: [{ role: 'user', name: 'ada', content: 'Hi' }] },
  detail: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: image }] }] },
  top_p: { top_p: 0.5 },
  top_k: { top_k: 5 },
  min_p: { min_p: 0.1 },
  frequency_penalty: { frequency_penalty: 0.5 },
  presence_penalty: { presence_penalty: 0.5 },
  seed: { seed: 7 },
  stop: { stop: ['END'] },
  reasoning_effort: { reasoning_effort: 'low' },
}

const table = await readCarryTable()

describe('the table of providers in kernel/docs/model-api-fields.md', function () {
  this.timeout(30_000)
  let fields: FieldsKernel

  before(async () => {
    const completions = { provider: 'completions', model: 'model-1', api: 'completions' }
    fields = await startFieldsKernel({
      'falls-back': { provider: 'cohere-chat', model: 'model-1', fallbacks: [completions] },
      'cannot-at-all': { provider: 'cohere-chat', model: 'model-1', fallbacks: [{ provider: 'ollama', model: 'model-2' }] },
      owned: { ...completions, extra_params: { seed: 1, logit_bias: { '1': 1 }, safe: true }, seed: 2, temperature: 0.9 },
      limited: { ...completions, max_completion_tokens: 50 },
    })
  })
  after(() => fields?.close())

  it('has a request for each row', () => {
    expect(table.map(({ field }) => field)).to.have.members(Object.keys(requests))
  })

  for (const { field, cells } of table) {
    it(`holds for ${field}`, async () => {
      for (const [protocol, cell] of Object.entries(cells)) {
        const before = fields.upstream.bodies.length
        const { text } = await fields.ask('chat', protocol, requests[field] ?? {})
        const isSent = fields.upstream.bodies.length > before
        const isUnsupported = text.includes('"unsupported_by_model"')
        const found = isSent ? 'yes' : isUnsupported ? 'no' : 'some models'
        expect(found, `${protocol}: ${text.slice(0, 300)}`).to.equal(cell)
      }
    })
  }

  it('takes values that ask for nothing everywhere', async () => {
    const nothing = {
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      top_logprobs: 0,
      logit_bias: {},
      parallel_tool_calls: true,
      stop: [],
    }
    for (const protocol of Object.keys(table[0]?.cells ?? {})) {
      const before = fields.upstream.bodies.length
      const { text } = await fields.ask('chat', protocol, { ...nothing, tools })
      expect(fields.upstream.bodies.length, `${protocol}: ${text.slice(0, 300)}`).to.equal(before + 1)
    }
  })

  it('is why a fallback is called, without a call of the first model', async () => {
    const before = fields.upstream.bodies.length
    const body = await fields.wire('chat', 'falls-back', { seed: 7 })
    expect(body).to.include({ model: 'model-1', seed: 7 })
    expect(fields.upstream.bodies).to.have.length(before + 1)
  })

  it('is why a request is refused before any call if no model carries it, in the words of either protocol', async () => {
    const chat = await fields.refusal('chat', 'cannot-at-all', { reasoning_effort: 'low' })
    expect(chat).to.include({ status: 400, code: 'unsupported_by_model', param: 'reasoning_effort' })
    expect(chat.message).to.contain('cannot-at-all').and.contain('cohere-chat').and.contain('Leave it out')
    const responses = await fields.refusal('responses', 'cannot-at-all', { reasoning: { effort: 'low' } })
    expect(responses).to.include({ status: 400, code: 'unsupported_by_model', param: 'reasoning.effort' })
  })

  it('has another protocol of the connection in the message if that carries the field', async () => {
    const { message } = await fields.refusal('chat', 'responses', { seed: 7 })
    expect(message).to.contain('Set “api: completions” in models.responses')
  })

  it('leaves the values of the request before those of the group, also in extra_params', async () => {
    const body = await fields.wire('chat', 'owned', { seed: 7, temperature: 0.1, logit_bias: { '2': 2 } })
    expect(body).to.deep.include({ seed: 7, temperature: 0.1, logit_bias: { '2': 2 }, safe: true })
    expect(await fields.wire('chat', 'owned', {})).to.deep.include({ seed: 1, temperature: 0.9, logit_bias: { '1': 1 } })
  })

  it('never raises a limit of the answer, and passes on a lower one', async () => {
    expect(await fields.wire('chat', 'limited', { max_tokens: 20 })).to.deep.include({ max_tokens: 20 })
    const raised = await fields.wire('chat', 'limited', { max_tokens: 500 })
    expect(raised['max_completion_tokens'] ?? raised['max_tokens']).to.equal(50)
  })
})
