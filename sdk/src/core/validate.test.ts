import { expect } from 'chai'
import { Type } from './type.js'
import { validate } from './validate.js'

const schema = Type.Object({
  count: Type.Integer({ minimum: 3 }),
  kind: Type.Union([Type.Literal('x'), Type.Literal('y')]),
  items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
})

describe('validate', () => {
  it('is empty for a value that holds, and leaves it as it is', () => {
    const value = Object.freeze({ count: 3, kind: 'x' })
    expect(validate(schema, value)).to.deep.equal([])
  })

  it('tells every problem, each with its place and what was expected', () => {
    const problems = validate(schema, { count: 1, kind: 'q', items: [{ name: 1 }, {}], 'a/b~c': 2 })
    expect(problems).to.deep.include.members([
      { path: '/kind', message: 'must be "x", or must be "y"' },
      { path: '/items/0/name', message: 'must be string' },
      { path: '/items/1/name', message: 'is required' },
      { path: '/a~1b~0c', message: 'is not known here' },
    ])
    expect(problems.find((problem) => problem.path === '/count')?.message).to.include('3')
    expect(problems).to.have.length(5)
  })

  it('says / for the whole', () => {
    expect(validate(schema, 7)).to.deep.equal([{ path: '/', message: 'must be object' }])
  })

  it('reads schemas that were parsed from JSON alike', () => {
    const parsed = JSON.parse(JSON.stringify(schema)) as typeof schema
    const value = { count: 'many', kind: 'x', extra: true }
    expect(validate(parsed, value)).to.deep.equal(validate(schema, value))
  })
})
