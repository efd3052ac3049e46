import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './build-request.js'
import { toolNameRule } from './call.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} }, strict: true }
const bodyOf = (changes: Partial<ModelRequest> & { readonly quirks?: JsonObject }): JsonObject =>
  buildRequestBody(requestTo('http://127.0.0.1', { protocol: 'huggingface', ...changes }), createToolNames(['get_time'], toolNameRule), {
    streamOptions: true,
  })

describe('fields that a Hugging Face request declares', () => {
  it('are sent under the names of the protocol', () => {
    const body = bodyOf({
      messages: [{ role: 'user', name: 'ada', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [tool],
      parallelToolCalls: false,
      logprobs: { top: 2 },
      logitBias: { '7': 1 },
      jsonObject: true,
    })
    expect(body).to.deep.include({
      ...{ parallel_tool_calls: false, logprobs: true, top_logprobs: 2 },
      ...{ logit_bias: { '7': 1 }, response_format: { type: 'json_object' } },
    })
    expect(body).to.have.nested.property('tools[0].function.strict', true)
    expect(body).to.have.nested.property('messages[0].name', 'ada')
  })

  it('are refused before the call where a server takes JSON only with a schema', () => {
    const quirks = { structured_output: 'json_object_value' }
    expect(() => bodyOf({ jsonObject: true, quirks })).to.throw('only with a schema')
    const responseSchema = { name: 'zone', schema: { type: 'object' }, description: 'A zone.', strict: true }
    expect(bodyOf({ responseSchema, quirks })['response_format']).to.deep.equal({
      type: 'json_object',
      value: { type: 'object', description: 'A zone.' },
    })
  })
})
