import { expect } from 'chai'
import type { TSchema } from 'typebox'
import { Type } from './type.js'
import { validate } from './validate.js'

const plain = (schema: Readonly<Record<string, unknown>>): TSchema => schema as unknown as TSchema

/** A schema, a value that it refuses, and the words for it. */
const cases: readonly (readonly [TSchema, unknown, string])[] = [
  [Type.String(), 1, 'must be a string'],
  [Type.Integer(), 1.5, 'must be a whole number'],
  [Type.Number(), '1', 'must be a number'],
  [Type.Boolean(), 'yes', 'must be true or false'],
  [Type.Null(), 0, 'must be null'],
  [Type.Array(Type.String()), {}, 'must be a list'],
  [Type.Object({}), [], 'must be an object'],
  [plain({ type: ['string', 'null'] }), 1, 'must be a string or null'],
  [Type.Literal('x'), 'y', 'must be "x"'],
  [plain({ enum: ['p', 2] }), 'q', 'must be one of "p", 2'],
  [Type.Integer({ minimum: 3 }), 2, 'must be at least 3'],
  [Type.Integer({ maximum: 3 }), 4, 'must be at most 3'],
  [Type.Number({ exclusiveMinimum: 0 }), 0, 'must be more than 0'],
  [Type.Number({ exclusiveMaximum: 1 }), 1, 'must be less than 1'],
  [Type.Integer({ multipleOf: 5 }), 7, 'must be a multiple of 5'],
  [Type.String({ minLength: 1 }), '', 'must not be empty'],
  [Type.String({ minLength: 8 }), 'short', 'must have at least 8 characters'],
  [Type.String({ maxLength: 1 }), 'ab', 'must have at most 1 character'],
  [Type.Array(Type.Integer(), { minItems: 2 }), [1], 'must have at least 2 items'],
  [Type.Array(Type.Integer(), { maxItems: 0 }), [1], 'must be empty'],
  [Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'must not contain duplicate items'],
  [Type.Record(Type.String(), Type.Integer(), { minProperties: 1 }), {}, 'must not be empty'],
  [Type.Record(Type.String(), Type.Integer(), { maxProperties: 1 }), { a: 1, b: 2 }, 'must have at most 1 member'],
  [Type.String({ pattern: '^[a-z]+$' }), 'A', 'must match the pattern ^[a-z]+$'],
  [plain({ type: 'string', format: 'email' }), 'nobody', 'must have the format “email”'],
  [Type.String({ minLength: 2, pattern: '^x' }), 'y', 'must have at least 2 characters and must match the pattern ^x'],
  [Type.Union([Type.String(), Type.Integer(), Type.Null()]), true, 'must be a string, a whole number or null'],
  [Type.Union([Type.String({ minLength: 2 }), Type.Null()]), '', 'must have at least 2 characters, or must be null'],
]

describe('the words of a validation', () => {
  for (const [schema, value, words] of cases) {
    it(words, () => {
      expect(validate(schema, value)).to.deep.equal([{ path: '/', message: words }])
    })
  }

  it('names nothing of the value', () => {
    const secret = 'sk-0123456789'
    const strict = Type.Object({ a: Type.Integer(), b: Type.Literal('x'), c: Type.String({ pattern: '^x' }), d: Type.Union([Type.Null()]) })
    const told = JSON.stringify(validate(strict, { a: secret, b: secret, c: secret, d: secret }))
    expect(told).to.include('must be').and.not.include(secret)
  })
})
