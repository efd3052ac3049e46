import type { JsonObject } from '@agent-service/sdk'
import type { EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { decisionKey } from './decision-key.js'

describe('the key of a decision', () => {
  const question = (
    id: string,
    more: { readonly role?: string; readonly attributes?: JsonObject; readonly context?: JsonObject } = {},
  ): EngineQuestion => ({
    principal: { type: 'User', id },
    action: 'call',
    resource: { type: 'Route', id: 'listUsers' },
    context: more.context ?? {},
    entities: [
      { type: 'User', id, attributes: { role: more.role ?? 'user' }, parents: [] },
      { type: 'Route', id: 'listUsers', attributes: more.attributes ?? { level: 'user' }, parents: [] },
    ],
  })
  const isShared = (one: EngineQuestion, other: EngineQuestion, nameUsers = false): boolean =>
    decisionKey(one, nameUsers) === decisionKey(other, nameUsers)

  it('is one for all users of a role while no policy names a user', () => {
    expect(isShared(question('ada'), question('eve'))).to.equal(true)
    expect(isShared(question('ada', { role: 'admin' }), question('eve'))).to.equal(false)
    expect(isShared(question('ada'), question('eve'), true)).to.equal(false)
    expect(isShared(question('ada'), question('ada'), true)).to.equal(true)
  })

  it('differs by user wherever the question may', () => {
    const mine = { __entity: { type: 'User', id: 'ada' } }
    for (const more of [
      { attributes: { owner: mine } },
      { attributes: { owner: { type: 'User', id: 'ada' } } },
      { attributes: { owners: [mine] } },
      { context: { asked_by: mine } },
      { context: { people: [[mine]] } },
    ])
      expect(isShared(question('ada', more), question('eve', more)), JSON.stringify(more)).to.equal(false)
    const inUser = (id: string): EngineQuestion => {
      const { entities, ...rest } = question(id)
      return { ...rest, entities: entities.map((entity) => ({ ...entity, parents: [{ type: 'User', id: 'ada' }] })) }
    }
    expect(isShared(inUser('ada'), inUser('eve'))).to.equal(false)
    const person = (id: string): EngineQuestion => ({ ...question(id), resource: { type: 'User', id: 'ada' } })
    expect(isShared(person('ada'), person('eve'))).to.equal(false)
  })

  it('differs for every other difference of the question', () => {
    const { action, ...rest } = question('ada')
    expect(isShared({ ...rest, action }, { ...rest, action: 'use_tool' })).to.equal(false)
    expect(isShared(question('ada', { context: { bytes: 1 } }), question('ada', { context: { bytes: 2 } }))).to.equal(false)
    expect(isShared(question('ada', { attributes: { level: 'admin' } }), question('ada'))).to.equal(false)
  })
})
