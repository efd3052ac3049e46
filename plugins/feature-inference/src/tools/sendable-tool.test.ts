import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { answer, createScriptedAdapter, groupOf } from '../test-support/fakes.js'
import { infer, startPlugin, workConnection } from '../test-support/start-plugin.js'
import { sendableTool } from './sendable-tool.js'

const mended = (parameters: JsonObject): JsonObject => sendableTool({ name: 'look', description: 'Looks.', parameters }).parameters
const object = (properties: JsonObject, others: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...others })
/** What becomes of the schema of one member. */
const member = (schema: unknown): unknown => (mended(object({ a: schema as JsonObject }))['properties'] as JsonObject)['a']

describe('the schema of a tool', () => {
  it('stays the same object if vendors take it', () => {
    const parameters = object(
      {
        name: { type: 'string', minLength: 1, pattern: '^[a-z]+$', format: 'house' },
        kind: { enum: ['a', 'b', null] },
        list: { type: 'array', items: { $ref: '#/$defs/item' } },
        any: {},
        map: { type: ['object', 'null'], additionalProperties: { type: 'integer' } },
      },
      { required: ['name'], $defs: { item: object({ next: { $ref: '#/$defs/item' } }) }, additionalProperties: false },
    )
    expect(mended(parameters)).to.equal(parameters)
  })

  for (const [what, given, wanted] of [
    ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }],
    ['an enum that is no list', { type: 'string', enum: 'a' }, { type: 'string' }],
    ['an enum with a value twice', { enum: ['a', 'b', 'a'] }, { enum: ['a', 'b'] }],
    ['a type of another language', { type: 'int' }, { type: 'integer' }],
    ['an unknown type', { type: 'any', description: 'A thing.' }, { description: 'A thing.' }],
    ['a list of types', { type: ['String', 'null', 'string', 'what'] }, { type: ['string', 'null'] }],
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'a tuple of earlier drafts',
      { type: 'array', items: [{ type: 'int' }] },
      { type: 'array', prefixItems: [{ type: 'integer' }], items: {} },
    ],
    ['a required flag', { type: 'string', required: true }, { type: 'string' }],
    ['a required name twice', { type: 'object', required: ['b', 'b', 5] }, { type: 'object', required: ['b'] }],
    ['an exclusive flag', { type: 'number', minimum: 0, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 0 }],
    ['an exclusive flag that is off', { type: 'number', maximum: 9, exclusiveMaximum: false }, { type: 'number', maximum: 9 }],
    ['a reference to nothing', { $ref: '#/definitions/gone', description: 'A thing.' }, { description: 'A thing.' }],
    ['a reference to another document', { $ref: 'https://house.example/schema.json' }, {}],
    ['a pattern of another language', { type: 'string', pattern: '(?i)^a(?P<b>c)' }, { type: 'string' }],
    ['a limit that is no number', { type: 'string', maxLength: '5', minLength: -1 }, { type: 'string' }],
    ['properties that are none', { type: 'object', properties: [] }, { type: 'object' }],
    ['a description that is no text', { type: 'string', description: { en: 'x' } }, { type: 'string' }],
    ['a schema that is none', 'string', {}],
    ['everything below', { anyOf: [{ type: 'array' }, { not: { enum: [] } }] }, { anyOf: [{ type: 'array', items: {} }, { not: {} }] }],
  ] as const)
    it(`is mended for vendors: ${what}`, () => {
      expect(member(given)).to.deep.equal(wanted)
    })

  it('is an object with properties at its root', () => {
    expect(mended({})).to.deep.equal(object({}))
    expect(mended({ type: 'object' })).to.deep.equal(object({}))
    expect(mended({ properties: { a: { type: 'string' } } })).to.deep.equal(object({ a: { type: 'string' } }))
    expect(mended({ type: 'string' })).to.deep.equal(object({}))
  })

  it('has no choice at its root: what any of the choices takes, and what all of them require', () => {
    const [one, other] = [
      object({ a: { type: 'string' }, b: {} }, { required: ['a', 'b'] }),
      object({ a: { type: 'string' }, c: {} }, { required: ['a'] }),
    ]
    for (const choice of ['anyOf', 'oneOf'])
      expect(mended({ type: 'object', [choice]: [one, other] }), choice).to.deep.equal(
        object({ a: { type: 'string' }, b: {}, c: {} }, { required: ['a'] }),
      )
    expect(mended({ allOf: [one, other] })).to.deep.equal(object({ a: { type: 'string' }, b: {}, c: {} }, { required: ['a', 'b'] }))
    expect(mended({ $ref: '#/definitions/In', definitions: { In: one } })).to.deep.include({
      type: 'object',
      properties: one['properties'],
    })
  })

  it('ends, however deep or entangled it is', () => {
    let deep: JsonObject = { type: 'array' }
    for (let level = 0; level < 2_000; level += 1) deep = { type: 'array', items: deep }
    expect(JSON.stringify(mended(object({ deep })))).to.have.length.below(5_000)
    const self = { $ref: '#', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
    expect(mended(self)).to.deep.include({ type: 'object' })
    expect(mended({ ...self, $ref: '#/$defs/a' })).to.deep.include({ type: 'object' })
    expect(mended({ allOf: [{ $ref: '#' }] })).to.deep.include({ type: 'object' })
  })

  it('costs no more than its size, however its parts refer to each other', () => {
    let reads = 0
    const choices = Array.from({ length: 6 }, () => ({ $ref: '#/$defs/a' }))
    const watched = new Proxy(object({ b: { type: 'string' } }, { anyOf: choices }), {
      get(schema, name) {
        if (name === 'anyOf') reads += 1
        return Reflect.get(schema, name) as unknown
      },
    })
    expect(mended({ anyOf: choices, $defs: { a: watched } })['properties']).to.deep.equal({ b: { type: 'string' } })
    expect(reads).to.be.within(1, 10)
    const many = Array.from({ length: 130_000 }, () => object({ b: { type: 'string' } }))
    expect(mended({ anyOf: many })['properties']).to.deep.equal({ b: { type: 'string' } })
  })

  it('is what adapters get, unless it is enforced', async () => {
    const adapter = createScriptedAdapter([answer], { supports: { ...createScriptedAdapter([]).supports, strictTools: true } })
    const { inference } = await startPlugin({ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] })
    const broken = object({ a: { enum: [] } })
    await infer(inference, {
      tools: [
        { name: 'look', description: 'Looks.', parameters: broken },
        { name: 'exact', description: 'Looks.', parameters: broken, strict: true },
      ],
    })
    expect(adapter.requests[0]?.tools.map(({ parameters }) => parameters)).to.deep.equal([object({ a: {} }), broken])
  })
})
