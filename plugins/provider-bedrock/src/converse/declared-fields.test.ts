import { expect } from 'chai'
import { converseRequest } from '../test-support/adapter.js'
import { outputConfig, structuredForm } from './structured-answer.js'

const responseSchema = { name: 'zone', schema: { type: 'object', properties: {} }, description: 'A zone.', strict: true }

describe('fields that a Converse request declares', () => {
  it('are a schema that is enforced where the model can, and refused elsewhere', () => {
    const request = converseRequest('http://127.0.0.1/v1', { responseSchema })
    expect(structuredForm(request, true)).to.deep.equal({ kind: 'outputConfig' })
    expect(JSON.stringify(outputConfig(responseSchema))).to.contain('"description":"A zone."')
    expect(() => structuredForm(request, false)).to.throw('cannot enforce a schema')
    const { strict: _, ...lenient } = responseSchema
    expect(structuredForm(converseRequest('http://127.0.0.1/v1', { responseSchema: lenient }), false)).to.deep.include({ kind: 'tool' })
  })
})
