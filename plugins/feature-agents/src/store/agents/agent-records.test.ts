import type { Transaction } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { type Agent, agentCollection, definitionOf } from './agent.js'
import { changeAgent, insertAgent, keepCurrentVersion, removeAgent } from './agent-records.js'
import { agentVersionCollection } from './agent-version.js'
import { formerWorkspaceCollection } from './former-workspace.js'
import { completeDefinition, newAgent } from './new-agent.js'

const person = { kind: 'person', id: 'u' } as const
const definition = completeDefinition({ handle: 'aa', name: 'A' })
const later = { by: person, cause: 'changed', now: '2026-02-02T00:00:00.000Z' } as const

describe('what is stored of an agent', () => {
  const begin = () => {
    const { database, documents } = createMemoryDatabase()
    const stored = () => [...documents(agentVersionCollection).values()].map(({ number, by, cause }) => ({ number, by: by.kind, cause }))
    const work = <T>(write: (transaction: Transaction) => Promise<T>): Promise<T> => database.transaction(write)
    return { documents, stored, work }
  }
  /** Stored before there were versions. */
  const older = newAgent(definition, { userId: 'u', workspace: 'aa', shared: null, now: '2026-01-01T00:00:00.000Z' })

  it('includes its state from a release without versions, as soon as it changes', async () => {
    const { documents, stored, work } = begin()
    const changed = await work((transaction) => changeAgent(transaction, older, { ...definitionOf(older), name: 'B' }, later))
    expect(changed).to.include({ name: 'B', version: 2, created_at: older.created_at, updated_at: later.now })
    expect(stored()).to.deep.equal([
      { number: 1, by: 'service', cause: 'created' },
      { number: 2, by: 'person', cause: 'changed' },
    ])
    const first = documents(agentVersionCollection).get(`${older.id}/1`)
    expect(first).to.deep.include({ definition, created_at: older.updated_at, user_id: 'u' })
    await work((transaction) => keepCurrentVersion(transaction, changed))
    expect(stored()).to.have.length(2)
  })

  it('has no new version if nothing differs', async () => {
    const { documents, stored, work } = begin()
    expect(await work((transaction) => changeAgent(transaction, older, definitionOf(older), later))).to.equal(older)
    expect([stored(), documents(agentCollection).size]).to.deep.equal([[], 0])
    // To adopt a shared agent that says the same is no change of it, and is remembered.
    const shared = { handle: 'aa', digest: 'd' }
    const adopted = await work((transaction) => changeAgent(transaction, older, definitionOf(older), { ...later, shared }))
    expect(adopted).to.deep.include({ shared, version: 1 })
    expect(stored()).to.deep.equal([])
  })

  it('is only the name of its folder after its deletion', async () => {
    const { documents, stored, work } = begin()
    let agent: Agent = await work((transaction) => insertAgent(transaction, 'u', definition, { ...later, cause: 'created' }))
    for (let number = 2; number <= 130; number += 1)
      agent = await work((transaction) => changeAgent(transaction, agent, { ...definition, name: String(number) }, later))
    expect(stored()).to.have.length(101)
    await work((transaction) => removeAgent(transaction, agent))
    expect([stored(), documents(agentCollection).size]).to.deep.equal([[], 0])
    expect([...documents(formerWorkspaceCollection).keys()]).to.deep.equal(['u/aa'])
  })
})
