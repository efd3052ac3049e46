import { expect } from 'chai'
import { type FieldsKernel, startFieldsKernel } from './support/fields-kernel.js'

const image = { url: 'data:image/png;base64,AAAA' }
const shown = (detail: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { ...image, detail } }] }] })

describe('fields of a request to an agent', function () {
  this.timeout(30_000)
  let fields: FieldsKernel
  let model: string

  before(async () => {
    fields = await startFieldsKernel({ primary: { provider: 'completions', model: 'model-1', api: 'completions' } })
    const created = await fields.person.request('POST', '/api/agents', {
      ...{ handle: 'helper', name: 'Helper', instructions: 'Be brief.' },
      ...{ model_group: 'primary', tools: [] },
    })
    expect(created.status).to.equal(201)
    model = 'agent/helper'
  })
  after(() => fields?.close())

  it('are refused with their path if the agent decides them, and if nobody knows them', async () => {
    const cases = [
      ['chat', { logprobs: true }, 'logprobs'],
      ['chat', { logit_bias: { '7': 1 } }, 'logit_bias'],
      ['chat', { parallel_tool_calls: false }, 'parallel_tool_calls'],
      ['chat', { response_format: { type: 'json_object' } }, 'response_format'],
      ['chat', { messages: [{ role: 'user', name: 'ada', content: 'Hi' }] }, 'messages[0].name'],
      ['chat', shown('low'), 'messages[0].content'],
      ['chat', { temprature: 1 }, 'temprature'],
      ['responses', { include: ['message.output_text.logprobs'] }, 'include'],
      ['responses', { top_logprobs: 2 }, 'top_logprobs'],
      ['responses', { text: { format: { type: 'json_object' } } }, 'text'],
    ] as const
    for (const [protocol, members, param] of cases) {
      const refusal = await fields.refusal(protocol, model, members)
      expect([refusal.status, refusal.param, refusal.code]).to.deep.equal([400, param, 'unsupported_parameter'])
    }
  })

  it('are accepted with the values that ask for nothing', async () => {
    const nothing = { logprobs: false, top_logprobs: 0, logit_bias: {}, parallel_tool_calls: true, n: 1, user: 'ada', metadata: {} }
    const before = fields.upstream.bodies.length
    expect(await fields.ask('chat', model, nothing)).to.include({ status: 200 })
    expect(await fields.ask('chat', model, shown('auto'))).to.include({ status: 200 })
    expect(await fields.ask('responses', model, { include: [], parallel_tool_calls: true, truncation: 'auto' })).to.include({
      status: 200,
    })
    expect(fields.upstream.bodies.length).to.be.at.least(before + 3)
  })
})
