import type { Collection, Database, Transaction } from '@agent-service/sdk/services/database'
import { defineCollection } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createGate, openTestDatabase, recordCommits, rejection, type TestDatabase, wrapDriver } from '../testing/test-database.js'

interface Account {
  readonly id: string
  readonly balance: number
  readonly name?: string
}

const accounts = defineCollection<Account>()({
  name: 'tests.accounts',
  version: 1,
  indexes: { by_name: { fields: ['name'], unique: true } },
})
const others = defineCollection<Account>()({ name: 'others.accounts', version: 1, indexes: {} })
const kernels = defineCollection<Account>()({ name: 'kernel.accounts', version: 1, indexes: {} })

describe('rules of transactions', () => {
  const commits = recordCommits()
  let test: TestDatabase
  let database: Database
  let collection: Collection<Account>

  beforeEach(async () => {
    test = await openTestDatabase({ driver: wrapDriver(createMemoryDatabaseDriver(), commits.wrap) })
    database = await test.database.openFor('tests', [accounts])
    await test.database.openFor('others', [others])
    await test.database.openFor('kernel', [kernels])
    collection = database.collection(accounts)
    commits.batches.length = 0
  })
  afterEach(() => test.end())

  it('throws document_exists at once if the id is known to be taken, otherwise at the retry', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    let reached = false
    const known = database.transaction(async (tx) => {
      await tx.get(accounts, 'a')
      expect(() => tx.insert(accounts, { id: 'a', balance: 2 })).to.throw('already has')
      tx.insert(accounts, { id: 'new', balance: 0 })
      expect(() => tx.insert(accounts, { id: 'new', balance: 2 })).to.throw('already has')
      reached = true
    })
    await known
    expect(reached).to.equal(true)
    const blind = database.transaction(async (tx) => tx.insert(accounts, { id: 'a', balance: 2 }))
    expect(await rejection(blind)).to.include({ code: 'document_exists' })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 1 })
  })

  it('reports a unique key that is taken', async () => {
    await collection.insert({ id: 'a', balance: 1, name: 'ann' })
    const error = await rejection(database.transaction(async (tx) => tx.put(accounts, { id: 'b', balance: 1, name: 'ann' })))
    expect(error).to.include({ code: 'unique_violation' })
    expect(error.message).to.contain('by_name')
  })

  it('refuses other owners’ collections, except in the kernel’s view', async () => {
    await database.transaction(async (tx) => {
      expect(() => tx.put(others, { id: 'a', balance: 1 })).to.throw('which it did not declare')
      expect(() => tx.delete(others, 'a')).to.throw('which it did not declare')
      expect(await rejection(tx.get(others, 'a'))).to.include({ code: 'collection_unknown' })
      const view = test.database.kernelView(tx)
      view.insert(kernels, { id: 'k', balance: 1 })
      expect(await view.get(kernels, 'k')).to.deep.equal({ id: 'k', balance: 1 })
      tx.insert(accounts, { id: 'a', balance: 1 })
    })
    expect(commits.batches).to.have.length(1)
    expect(commits.batches[0]?.writes.map((write) => write.collection)).to.deep.equal(['kernel.accounts', 'tests.accounts'])
  })

  it('refuses to be nested, and to be used after its end', async () => {
    let leaked: Transaction | undefined
    await database.transaction(async (tx) => {
      leaked = tx
      expect(await rejection(database.transaction(async () => undefined))).to.include({ code: 'transaction_nested' })
      await tx.get(accounts, 'a')
    })
    if (!leaked) throw new Error('The work did not run.')
    const ended = leaked
    expect(() => ended.put(accounts, { id: 'a', balance: 1 })).to.throw('has ended')
    expect(await rejection(ended.get(accounts, 'a'))).to.include({ code: 'transaction_ended' })
    expect(() => test.database.kernelView(ended).afterCommit(() => undefined)).to.throw('has ended')
    await database.transaction(async () => undefined)
  })

  it('rejects at an abort with the reason of the signal, and writes nothing', async () => {
    const controller = new AbortController()
    const never = createGate()
    const running = database.transaction(
      async (tx) => {
        tx.put(accounts, { id: 'a', balance: 1 })
        controller.abort(new Error('enough'))
        await never.opened
      },
      { signal: controller.signal },
    )
    expect((await rejection(running)).message).to.equal('enough')
    expect((await rejection(database.transaction(async () => 1, { signal: controller.signal }))).message).to.equal('enough')
    never.open()
    expect(commits.batches).to.have.length(0)
  })

  it('calls back after the commit, in commit order, before the promise resolves, and not for repeated runs', async () => {
    await collection.insert({ id: 'a', balance: 0 })
    const called: number[] = []
    const resolved: number[] = []
    const change = async (): Promise<void> => {
      let revision = 0
      await database.transaction(async (tx) => {
        const account = await tx.get(accounts, 'a')
        tx.put(accounts, { id: 'a', balance: (account?.balance ?? 0) + 1 })
        test.database.kernelView(tx).afterCommit((committed) => {
          revision = committed
          called.push(committed)
          throw new Error('A callback that fails harms nobody.')
        })
      })
      expect(called).to.include(revision)
      resolved.push(revision)
    }
    await Promise.all(Array.from({ length: 16 }, change))
    expect(called).to.have.length(16)
    expect(called).to.deep.equal([...called].sort((left, right) => left - right))
    expect(resolved).to.have.members(called)
    const none: number[] = []
    await rejection(
      database.transaction(async (tx) => {
        test.database.kernelView(tx).afterCommit((revision) => none.push(revision))
        throw new Error('no')
      }),
    )
    expect(none).to.deep.equal([])
  })
})
