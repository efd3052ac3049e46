import { expect } from 'chai'
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

/** A list of one value, and how often something of the list was looked at. */
function watched(length: number, item: unknown): { readonly value: readonly unknown[]; looked(): number } {
  let count = 0
  const value = new Proxy(new Array(length).fill(item), {
    get: (items, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) count += 1
      return Reflect.get(items, name, receiver)
    },
  })
  return { value, looked: () => count }
}

describe('validate', () => {
  it('is empty for a valid value, and does not change it', () => {
    const value = Object.freeze({ count: 3, kind: 'x' })
    expect(validate(schema, value)).to.deep.equal([])
  })

  it('reports every problem with its path and what was expected', () => {
    const problems = validate(schema, { count: 1, kind: 'q', items: [{ name: 1 }, {}], 'a/b~c': 2 })
    expect(problems).to.have.deep.members([
      { path: '/count', message: 'must be at least 3' },
      { path: '/kind', message: 'must be "x" or "y"' },
      { path: '/items/0/name', message: 'must be a string' },
      { path: '/items/1/name', message: 'is required' },
      { path: '/a~1b~0c', message: 'is not known here' },
    ])
  })

  it('uses / for the whole value', () => {
    expect(validate(schema, 7)).to.deep.equal([{ path: '/', message: 'must be an object' }])
  })

  it('reads schemas that were parsed from JSON alike', () => {
    const parsed = JSON.parse(JSON.stringify(schema)) as typeof schema
    const value = { count: 'many', kind: 'x', extra: true }
    expect(validate(parsed, value)).to.deep.equal(validate(schema, value))
  })

  it('refuses invalid values with any number of unknown members', () => {
    for (const count of [1, 7, 8, 9, 19, 20, 21, 500]) {
      expect(validate(closed, unknownMembers(count)), `${count} unknown members`).to.have.length(Math.min(count, 20))
    }
  })

  it('reports at most 20 problems', () => {
    const list = Type.Array(Type.Integer())
    expect(validate(list, new Array(12).fill('x'))).to.have.length(12)
    expect(validate(list, new Array(1000).fill('x'))).to.have.length(20)
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`m${index}`, Type.Null()]))
    expect(validate(Type.Object(many), {})).to.have.length(20)
    const kinds = Type.Union(Array.from({ length: 500 }, (_, index) => Type.Literal(`kind ${index}`)))
    expect(validate(kinds, 'none')).to.have.length(1)
  })

  describe('looks at a value full of mistakes no longer than it takes to name the first', () => {
    it('in a list', () => {
      const { value, looked } = watched(100_000, 1)
      expect(validate(Type.Array(Type.Object({})), value)).to.have.length(20)
      expect(looked()).to.be.lessThan(1_000)
    })

    it('in a list of a union, in a union, and behind other mistakes', () => {
      const part = (type: string) => Type.Object({ type: Type.Literal(type), text: Type.String() })
      const parts = Type.Array(Type.Union(['a', 'b', 'c', 'd', 'e', 'f'].map(part)))
      const { value, looked } = watched(100_000, { type: 'z' })
      const either = Type.Object({ stream: Type.Boolean(), input: Type.Union([Type.String(), parts]) })
      expect(validate(either, { stream: 3, input: value })).to.have.length.within(2, 20)
      expect(looked()).to.be.lessThan(1_000)
    })

    it('in members with free names', () => {
      // The check itself looks at each of them once.
      const looked = { count: 0 }
      const target = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]))
      const value = new Proxy(target, {
        get: (members, name, receiver) => {
          looked.count += 1
          return Reflect.get(members, name, receiver)
        },
      })
      expect(validate(Type.Record(Type.String(), Type.String()), value)).to.have.length(20)
      expect(looked.count).to.be.lessThan(21_000)
    })

    it('where a schema refers to others or has keywords that hang together', () => {
      const referring = { $defs: { name: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/name' } } as unknown as typeof schema
      expect(validate(referring, ['a', 1])).to.deep.equal([{ path: '/1', message: 'must be a string' }])
      const { value, looked } = watched(100_000, 1)
      expect(validate(referring, value)).to.deep.equal([{ path: '/', message: 'does not fit its schema' }])
      expect(looked()).to.be.lessThan(1_000)
      const oneOf = { oneOf: [{ type: 'string' }, { type: 'null' }] } as unknown as typeof schema
      expect(validate(oneOf, 1)[0]?.message).to.match(/^must be a string, or must be null/)
    })
  })

  it('finds what is wrong in a large value that holds otherwise', () => {
    const messages = Array.from({ length: 50_000 }, () => ({ role: 'user', content: 'Hi' }))
    const request = Type.Object({ messages: Type.Array(Type.Record(Type.String(), Type.Unknown())), stream: Type.Boolean() })
    expect(validate(request, { messages, stream: 3 })).to.deep.equal([{ path: '/stream', message: 'must be true or false' }])
    expect(validate(request, { messages: [...messages, 7], stream: true })).to.deep.equal([
      { path: '/messages/50000', message: 'must be an object' },
    ])
  })

  it('has a problem for a schema that nothing fits', () => {
    const nothing = { type: 'object', properties: { gone: false } } as unknown as typeof schema
    expect(validate(nothing, { gone: 1 })).to.deep.equal([{ path: '/gone', message: 'is not known here' }])
    expect(validate({ anyOf: [] } as unknown as typeof schema, 1)).to.deep.equal([{ path: '/', message: 'does not fit its schema' }])
  })

  it('suggests the nearest name, if one is near', () => {
    const chat = Type.Object({ title: Type.Optional(Type.String()), mode: Type.Union([Type.Literal('read'), Type.Literal('write')]) })
    expect(validate(chat, { titel: 'x', colour: 'red', mode: 'raed' })).to.have.deep.members([
      { path: '/titel', message: 'is not known here; did you mean “title”?' },
      { path: '/colour', message: 'is not known here' },
      { path: '/mode', message: 'must be "read" or "write"; did you mean “read”?' },
    ])
    expect(validate(chat, { mode: 'delete' })).to.deep.equal([{ path: '/mode', message: 'must be "read" or "write"' }])
  })

  it('checks a value against the alternative of its constant', () => {
    const text = Type.Object({ type: Type.Literal('text'), text: Type.String() })
    const image = Type.Object({ type: Type.Literal('image'), data: Type.String(), alt: Type.Optional(Type.String()) })
    const part = Type.Union([text, image])
    expect(validate(part, { type: 'text', txt: 'Hi' })).to.have.deep.members([
      { path: '/text', message: 'is required' },
      { path: '/txt', message: 'is not known here; did you mean “text”?' },
    ])
    expect(validate(part, { type: 'sound' })).to.deep.equal([{ path: '/type', message: 'must be "text" or "image"' }])
    expect(validate(part, {})).to.deep.equal([{ path: '/type', message: 'must be "text" or "image"' }])
  })

  it('does not report a member with a wrong value as unknown', () => {
    const counts = { type: 'object', additionalProperties: { type: 'integer' } } as unknown as typeof schema
    expect(validate(counts, { a: 'x' })).to.deep.equal([{ path: '/a', message: 'must be a whole number' }])
  })

  it('repeats no name of megabytes, and no half of a character', () => {
    const [problem] = validate(Type.Object({}), { [`${'n'.repeat(998)}😀${'n'.repeat(1_000_000)}`]: 1 })
    expect(problem?.path).to.equal(`/${'n'.repeat(998)}…`)
  })
})
