import { type named, namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createDispatchTable } from '../routing/dispatch-table.js'
import { claimEventNames, createSchemaNames } from './schema-names.js'

const route = (operationId: string, schema: Parameters<typeof named>[1]): HttpRoute =>
  defineRoute({
    ...{ method: 'GET', path: `/api/plugins/dice/${operationId}`, operationId, summary: 'Get', auth: 'user' },
    answers: { 200: { description: 'It.', schema } },
    handle: async () => ok({}),
  })
const roll = () => namedObject('Roll', { eyes: Type.Integer(), sides: Type.Integer() })
const other = () => namedObject('Roll', { eyes: Type.String() })

describe('names of schemas', () => {
  it('mean one schema: another one is refused, and the error names both owners', () => {
    const table = createDispatchTable()
    table.add(route('one', roll()), { id: 'feature-dice' })
    expect(() => table.add(route('two', Type.Array(other())), { id: 'feature-cards' }))
      .to.throw(/“Roll” of “feature-cards” differs from the one that “feature-dice” has/)
      .with.property('code', 'schema_name_conflict')
    expect(table.list()).to.have.length(1)
  })

  it('may be used again for the same schema, in whatever order its members come, by another owner too', () => {
    const table = createDispatchTable()
    table.add(route('one', roll()), { id: 'feature-dice' })
    const parsed = JSON.parse(JSON.stringify(namedObject('Roll', { sides: Type.Integer(), eyes: Type.Integer() }))) as ReturnType<
      typeof roll
    >
    const same = { ...parsed, required: ['eyes', 'sides'] }
    table.add(route('two', Type.Object({ roll: same })), { id: 'feature-cards' })
    expect(table.list()).to.have.length(2)
  })

  it('are free again once no route has them', () => {
    const table = createDispatchTable()
    const remove = table.add(route('one', roll()), { id: 'feature-dice' })
    const removeSecond = table.add(route('two', roll()), { id: 'feature-dice' })
    void remove()
    expect(() => table.add(route('three', other()), { id: 'feature-cards' })).to.throw(/“feature-dice”/)
    void removeSecond()
    table.add(route('three', other()), { id: 'feature-cards' })
  })

  it('of third parties carry the id of their plugin, so that they differ from all others', () => {
    const table = createDispatchTable()
    table.add(route('one', roll()), { id: 'feature-dice' })
    table.add(route('two', other()), { id: 'tool-dice', schemaPrefix: 'ToolDice' })
    expect(table.list()).to.have.length(2)
  })

  it('are refused if one plugin gives a name twice, also in the data of an event', () => {
    const table = createDispatchTable()
    expect(() => table.add(route('one', Type.Object({ one: roll(), two: other() })), { id: 'feature-dice' })).to.throw(
      /“feature-dice” names two different schemas “Roll”/,
    )
    const names = createSchemaNames()
    const events = { 'dice.rolled': { description: 'A die was rolled.', schema: Type.Object({ one: roll(), two: other() }) } }
    expect(() => claimEventNames(names, { id: 'dice', builtIn: true, manifest: { events } })).to.throw(/two different schemas “Roll”/)
  })

  it('that are derived from the operation are claimed too', () => {
    const table = createDispatchTable()
    table.add(route('rollDice', Type.Object({ eyes: Type.Integer() })), { id: 'feature-dice' })
    expect(() => table.add(route('two', namedObject('RollDiceResult', {})), { id: 'feature-cards' })).to.throw(/“RollDiceResult”/)
  })
})
