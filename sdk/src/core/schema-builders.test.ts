import { expect } from 'chai'
import * as TypeBox from 'typebox'
import { builders } from './schema-builders.js'

type Builders = typeof builders

/** An object with all that it owns, hidden members too, in order. */
function anatomy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return [
    Array.isArray(value) ? 'list' : 'object',
    ...Reflect.ownKeys(value).map((key) => {
      const { value: member, ...flags } = Object.getOwnPropertyDescriptor(value, key) ?? {}
      return [key, flags, anatomy(member)]
    }),
  ]
}

/** Schemas, each built with whatever is given. */
const schemas: Readonly<Record<string, (type: Builders) => unknown>> = {
  'plain types': (type) => [type.Boolean(), type.Integer(), type.Null(), type.Number(), type.String(), type.Unknown()],
  'plain types with options': (type) => [
    type.Boolean({ default: true }),
    type.Integer({ minimum: 3, 'x-unit': 'seconds' }),
    type.Null({ description: 'Nothing.' }),
    type.Number({ exclusiveMaximum: 2.5 }),
    type.String({ minLength: 1, pattern: '^a' }),
    type.Unknown({ description: 'Anything.' }),
  ],
  'options over what the type says': (type) => [type.String({ type: 'text' }), type.Object({}, { required: ['a'] })],
  literals: (type) => [type.Literal('a'), type.Literal(1), type.Literal(true), type.Literal('b', { title: 'B' })],
  lists: (type) => [type.Array(type.String()), type.Array(type.Array(type.Integer()), { minItems: 1, uniqueItems: true })],
  objects: (type) => [
    type.Object({}),
    type.Object({ a: type.String(), b: type.Optional(type.Integer()) }),
    type.Object({ a: type.Optional(type.String()) }, { additionalProperties: false, title: 'A' }),
    type.Object({ 1: type.String(), a: type.Object({ b: type.Object({ c: type.Null() }) }) }),
  ],
  'optional members': (type) => [
    type.Optional(type.String({ maxLength: 2 })),
    type.Optional(type.Optional(type.Object({ a: type.Null() }))),
    type.Optional(type.Union([type.Null(), type.String()], { default: null })),
  ],
  unions: (type) => [
    type.Union([]),
    type.Union([type.Literal('a'), type.Literal('b')]),
    type.Union([type.Null(), type.Union([type.String(), type.Integer()])], { default: null, description: 'Some.' }),
  ],
  'maps with keys of a pattern': (type) => [
    type.Record(type.String(), type.Integer()),
    type.Record(type.String({ pattern: '^x-', minLength: 3 }), type.Unknown(), { additionalProperties: false }),
    type.Record(type.Integer(), type.String()),
    type.Record(type.Number(), type.String(), { minProperties: 1 }),
    type.Record(type.Union([type.Literal('a'), type.Union([type.Literal('b'), type.String()])]), type.Null()),
  ],
  'maps with known keys': (type) => [
    type.Record(type.Literal('a'), type.Integer()),
    type.Record(type.Literal(7), type.Integer(), { title: 'Seven' }),
    type.Record(type.Boolean(), type.Integer()),
    type.Record(type.Union([type.Literal('a'), type.Union([type.Literal(2), type.Literal('b')])]), type.Optional(type.Integer())),
    type.Record(type.Union([type.Literal('a'), type.Literal(false)]), type.Integer()),
  ],
  'maps with keys that are none': (type) => [type.Record(type.Null(), type.Integer()), type.Record(type.Array(type.String()), type.Null())],
}

describe('the builders of schemas', () => {
  for (const [name, build] of Object.entries(schemas)) {
    it(`build ${name} as TypeBox does, hidden marks included`, () => {
      expect(anatomy(build(builders))).to.deep.equal(anatomy(build(TypeBox)))
    })
  }

  it('refuse a literal that JSON does not have, as TypeBox does', () => {
    for (const type of [builders, TypeBox]) expect(() => type.Literal(null as unknown as string)).to.throw('Invalid Literal value')
  })

  it('leave the schema that they make optional as it is', () => {
    const schema = builders.String({ minLength: 1 })
    const before = anatomy(schema)
    builders.Optional(schema)
    expect(anatomy(schema)).to.deep.equal(before)
  })

  it('understand what TypeBox built, and are understood', () => {
    const mixed = builders.Object({ a: TypeBox.Optional(TypeBox.String()), b: builders.Integer() })
    expect(mixed.required).to.deep.equal(['b'])
    expect(TypeBox.Object({ a: builders.Optional(builders.String()), b: TypeBox.Integer() })).to.deep.equal(mixed)
  })
})
