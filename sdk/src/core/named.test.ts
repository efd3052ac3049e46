import { expect } from 'chai'
import { checkPortableSchema } from '../manifest/portable-schema.js'
import { pageSchema } from '../paging/paging.js'
import { named, namedObject, nameOfSchema, schemaNameKeyword } from './named.js'
import { Type } from './type.js'
import { validate } from './validate.js'

describe('a named schema', () => {
  const roll = namedObject('Roll', { eyes: Type.Integer() })

  it('keeps its name as JSON, and its meaning', () => {
    expect(nameOfSchema(roll)).to.equal('Roll')
    expect(nameOfSchema(JSON.parse(JSON.stringify(roll)) as typeof roll)).to.equal('Roll')
    expect(checkPortableSchema(roll, '')).to.deep.equal([])
    expect(validate(roll, { eyes: 4 })).to.deep.equal([])
    expect(validate(roll, { eyes: 'four' })).to.have.length(1)
    expect(validate(roll, { eyes: 4, more: 1 })).to.have.length(1)
  })

  it('leaves the schema that it was made from as it was', () => {
    const plain = Type.Union([Type.String(), Type.Null()])
    const text = named('Text', plain)
    expect(nameOfSchema(plain)).to.equal(undefined)
    expect(nameOfSchema(text)).to.equal('Text')
  })

  it('can be optional: the member is, and keeps the name', () => {
    const dice = Type.Object({ last: Type.Optional(roll) })
    expect(validate(dice, {})).to.deep.equal([])
    expect(nameOfSchema(dice.properties.last)).to.equal('Roll')
  })

  it('names the pages of its lists', () => {
    expect(nameOfSchema(pageSchema(roll))).to.equal('RollPage')
    expect(nameOfSchema(pageSchema(Type.String()))).to.equal(undefined)
  })

  it('has a name in PascalCase, in code and as JSON', () => {
    expect(() => named('dice roll', Type.String())).to.throw(TypeError, /PascalCase/)
    const problems = checkPortableSchema({ type: 'string', [schemaNameKeyword]: 'dice roll' }, '')
    expect(problems).to.deep.equal([{ path: '/x-name', message: 'must be a name in PascalCase, such as DiceRoll' }])
  })
})
