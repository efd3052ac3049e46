import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { messagesRequest } from '../test-support/adapter.js'
import { buildRequestBody } from './build-request.js'
import { readQuirks } from './quirks.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} } }
const bodyOf = (
  changes: Partial<ModelRequest>,
  { quirks = {}, oneSampling = false }: { quirks?: JsonObject; oneSampling?: boolean } = {},
) => buildRequestBody(messagesRequest('http://127.0.0.1', { stream: false, ...changes }), { quirks: readQuirks(quirks), oneSampling })

describe('fields that a messages request declares', () => {
  it('are sent under the names of the protocol', () => {
    expect(bodyOf({ tools: [{ ...tool, strict: true }] })).to.have.nested.property('tools[0].strict', true)
    const single = { tools: [tool], parallelToolCalls: false }
    expect(bodyOf(single)['tool_choice']).to.deep.equal({ type: 'auto', disable_parallel_tool_use: true })
    expect(bodyOf({ ...single, toolChoice: 'required' })['tool_choice']).to.deep.equal({ type: 'any', disable_parallel_tool_use: true })
    expect(bodyOf({ ...single, toolChoice: { name: 'get_time' } })['tool_choice']).to.include({
      type: 'tool',
      disable_parallel_tool_use: true,
    })
    expect(bodyOf({ ...single, toolChoice: 'none' })['tool_choice']).to.deep.equal({ type: 'none' })
    expect(bodyOf({ parallelToolCalls: false })).to.not.have.property('tool_choice')
  })

  it('have the description of the answer in its schema', () => {
    const body = bodyOf({ responseSchema: { ...schema, description: 'A zone.', strict: true } })
    expect(body).to.have.nested.property('output_config.format.schema.description', 'A zone.')
  })

  it('are refused, and not told in a note, if the model cannot read them and they may not be left out', () => {
    const image = { type: 'image', media_type: 'image/tiff', data: 'AAAA' } as const
    const file = { type: 'file', media_type: 'application/zip', name: 'a.zip', data: 'AAAA' } as const
    const pdf = { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'AAAA' } as const
    for (const part of [image, file]) {
      const messages = [{ role: 'user', content: [pdf, part] } as const]
      expect(() => bodyOf({ messages, required: ['images', 'files'] })).to.throw(`cannot read content of the type ${part.media_type}`)
      expect(JSON.stringify(bodyOf({ messages }))).to.contain('which this model cannot')
    }
    expect(() => bodyOf({ messages: [{ role: 'user', content: [pdf] }], required: ['files'] })).to.not.throw()
  })

  it('are refused before the call where the model cannot enforce a schema', () => {
    const quirks = { structured_output: 'tool' }
    expect(() => bodyOf({ responseSchema: { ...schema, strict: true } }, { quirks })).to.throw('cannot enforce a schema')
    expect(bodyOf({ responseSchema: schema }, { quirks })).to.have.property('tool_choice')
  })

  it('are refused, and not left out, where the rest of the request rules them out', () => {
    const thinking = { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 1_024 }, temperature: 0.3 }
    expect(() => bodyOf({ settings: thinking, required: ['temperature'] })).to.throw('temperature cannot be sent')
    expect(bodyOf({ settings: thinking })).to.not.have.property('temperature')
    const both = { temperature: 0.3, top_p: 0.5 }
    expect(() => bodyOf({ settings: both, required: ['top_p'] }, { oneSampling: true })).to.throw('top_p cannot be sent')
    expect(bodyOf({ settings: both, required: ['temperature'] }, { oneSampling: true })).to.not.have.property('top_p')
  })
})
