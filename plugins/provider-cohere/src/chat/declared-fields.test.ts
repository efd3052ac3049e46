import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './build-request.js'
import { toolNameRule } from './call.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} }, strict: true }
const bodyOf = (changes: Partial<ModelRequest>): JsonObject =>
  buildRequestBody(
    requestTo('http://127.0.0.1', { protocol: 'cohere-chat', ...changes }),
    createToolNames(['get_time', 'other'], toolNameRule),
  )

describe('fields that a Cohere request declares', () => {
  it('are sent under the names of the protocol', () => {
    expect(bodyOf({ tools: [{ ...tool, strict: true }] })).to.include({ strict_tools: true })
    expect(bodyOf({ tools: [tool] })).to.not.have.property('strict_tools')
    expect(bodyOf({ jsonObject: true })['response_format']).to.deep.equal({ type: 'json_object' })
    const image = { type: 'image', media_type: 'image/png', data: 'AAAA', detail: 'high' } as const
    expect(bodyOf({ messages: [{ role: 'user', content: [image] }] })).to.have.nested.property(
      'messages[0].content[0].image_url.detail',
      'high',
    )
  })

  it('are refused before the call where the protocol rules them out', () => {
    expect(() => bodyOf({ tools: [tool], jsonObject: true })).to.throw('beside tools')
    expect(() => bodyOf({ tools: [tool], responseSchema: schema })).to.throw('beside tools')
    const mixed = [
      { ...tool, strict: true },
      { ...tool, name: 'other' },
    ]
    expect(() => bodyOf({ tools: mixed })).to.throw('all tools or of none')
  })
})
