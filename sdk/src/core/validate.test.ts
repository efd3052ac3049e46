import { expect } from 'chai'
import { Settings } from 'typebox/system'
import { Type } from './type.js'
import { validate } from './validate.js'

const schema = Type.Object({
  count: Type.Integer({ minimum: 3 }),
  kind: Type.Union([Type.Literal('x'), Type.Literal('y')]),
  items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
})

const closed = Type.Object({ name: Type.Optional(Type.String()) })
const unknownMembers = (count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown_${index}`, index]))

describe('validate', () => {
  it('is empty for a value that holds, and leaves it as it is', () => {
    const value = Object.freeze({ count: 3, kind: 'x' })
    expect(validate(schema, value)).to.deep.equal([])
  })

  it('tells every problem, each with its place and what was expected', () => {
    const problems = validate(schema, { count: 1, kind: 'q', items: [{ name: 1 }, {}], 'a/b~c': 2 })
    expect(problems).to.have.deep.members([
      { path: '/count', message: 'must be at least 3' },
      { path: '/kind', message: 'must be "x" or "y"' },
      { path: '/items/0/name', message: 'must be a string' },
      { path: '/items/1/name', message: 'is required' },
      { path: '/a~1b~0c', message: 'is not known here' },
    ])
  })

  it('says / for the whole', () => {
    expect(validate(schema, 7)).to.deep.equal([{ path: '/', message: 'must be an object' }])
  })

  it('reads schemas that were parsed from JSON alike', () => {
    const parsed = JSON.parse(JSON.stringify(schema)) as typeof schema
    const value = { count: 'many', kind: 'x', extra: true }
    expect(validate(parsed, value)).to.deep.equal(validate(schema, value))
  })

  it('refuses what does not hold, however many unknown members there are', () => {
    for (const count of [1, 7, 8, 9, 99, 100, 101, 500]) {
      expect(validate(closed, unknownMembers(count)), `${count} unknown members`).to.have.length(Math.min(count, 100))
    }
  })

  it('tells 100 problems and no more, and leaves the settings that others share as they are', () => {
    const before = Settings.Get().maxErrors
    const list = Type.Array(Type.Integer())
    expect(
      validate(
        list,
        Array.from({ length: 60 }, () => 'x'),
      ),
    ).to.have.length(60)
    expect(
      validate(
        list,
        Array.from({ length: 1000 }, () => 'x'),
      ),
    ).to.have.length(100)
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`m${index}`, Type.Null()]))
    expect(validate(Type.Object(many), {})).to.have.length(100)
    expect(Settings.Get().maxErrors).to.equal(before)
  })

  it('has a problem for a schema that nothing fits', () => {
    const nothing = { type: 'object', properties: { gone: false } } as unknown as typeof schema
    expect(validate(nothing, { gone: 1 })).to.deep.equal([{ path: '/gone', message: 'is not known here' }])
    expect(validate({ anyOf: [] } as unknown as typeof schema, 1)).to.deep.equal([{ path: '/', message: 'does not fit its schema' }])
  })

  it('does not call a member unknown whose value is wrong', () => {
    const counts = { type: 'object', additionalProperties: { type: 'integer' } } as unknown as typeof schema
    expect(validate(counts, { a: 'x' })).to.deep.equal([{ path: '/a', message: 'must be a whole number' }])
  })
})
