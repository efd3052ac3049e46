import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { toOpenApiSchema } from './generate-content/openapi-schema.js'

const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
  [
    'types in capitals, and shared members',
    { type: 'string', minLength: 2, pattern: '^a' },
    { type: 'STRING', minLength: 2, pattern: '^a' },
  ],
  ['a type or nothing', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
  [
    'several types',
    { type: ['string', 'integer'], description: 'x' },
    {
      description: 'x',
      anyOf: [
        { type: 'STRING', description: 'x' },
        { type: 'INTEGER', description: 'x' },
      ],
    },
  ],
  [
    'a choice with nothing',
    { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'x' },
    { type: 'INTEGER', description: 'x', nullable: true },
  ],
  ['a choice', { oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, { anyOf: [{ type: 'INTEGER' }, { type: 'BOOLEAN' }] }],
  ['a constant', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
  ['an enum of numbers, which the subset lacks', { enum: [1, 2] }, { type: 'INTEGER' }],
  ['formats that the subset supports', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
  ['formats that it refuses', { type: 'string', format: 'uri' }, { type: 'STRING' }],
  ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
  [
    'an object, closed or not',
    { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'], additionalProperties: false, $schema: 'x' },
    { type: 'OBJECT', properties: { a: { type: 'NUMBER' } }, required: ['a'] },
  ],
  [
    'references',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/b', description: 'own' } },
      $defs: { b: { type: 'string', description: 'other' } },
    },
    { type: 'OBJECT', properties: { a: { type: 'STRING', description: 'own' } } },
  ],
  [
    'schemas in one',
    { allOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'boolean' } } }] },
    { type: 'OBJECT', properties: { b: { type: 'BOOLEAN' }, a: { type: 'STRING' } }, required: ['a'] },
  ],
  ['anything', {}, { type: 'STRING' }],
]

describe('a JSON Schema in the subset of OpenAPI', () => {
  for (const [what, schema, expected] of cases) {
    it(`says ${what}`, () => {
      const before = structuredClone(schema)
      expect(toOpenApiSchema(schema)).to.deep.equal(expected)
      expect(schema).to.deep.equal(before)
    })
  }

  it('ends for a recursive schema', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' }, own: { allOf: [{ $ref: '#/properties/own' }] } } }
    expect(JSON.stringify(toOpenApiSchema(tree)).length).to.be.lessThan(100_000)
  })
})
