import type { Collection, Database, Transaction } from '@agent-service/sdk/services/database'
import { defineCollection } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openTestDatabase, recordCommits, rejection, type TestDatabase, wrapDriver } from '../testing/test-database.js'

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

describe('transactions', () => {
  const commits = recordCommits()
  let test: TestDatabase
  let database: Database
  let collection: Collection<Account>

  beforeEach(async () => {
    test = await openTestDatabase({ driver: wrapDriver(createMemoryDatabaseDriver(), commits.wrap) })
    database = await test.database.openFor('tests', [accounts])
    collection = database.collection(accounts)
    commits.batches.length = 0
  })
  afterEach(() => test.end())

  it('commits what was read and written as one batch', async () => {
    const a = await collection.insert({ id: 'a', balance: 5 })
    commits.batches.length = 0
    const result = await database.transaction(async (tx) => {
      const from = await tx.get(accounts, 'a')
      expect(await tx.get(accounts, 'b')).to.equal(undefined)
      expect(await tx.find(accounts, 'by_name', ['bob'])).to.equal(undefined)
      tx.put(accounts, { id: 'a', balance: (from?.balance ?? 0) - 1 })
      tx.insert(accounts, { id: 'b', balance: 1, name: 'bob' })
      return 'moved'
    })
    expect(result).to.equal('moved')
    expect(commits.batches).to.have.length(1)
    expect(commits.batches[0]?.checks.map(({ kind }) => kind)).to.deep.equal(['revision', 'revision', 'key-absent'])
    expect(commits.batches[0]?.checks[0]).to.include({ id: 'a', revision: a.revision })
    expect(commits.batches[0]?.checks[1]).to.include({ id: 'b', revision: 0 })
    expect(await collection.get('b')).to.deep.equal({ id: 'b', balance: 1, name: 'bob' })
  })

  it('sees its own writes by id and by key', async () => {
    await collection.insert({ id: 'a', balance: 1, name: 'ann' })
    await database.transaction(async (tx) => {
      expect(await tx.find(accounts, 'by_name', ['ann'])).to.include({ id: 'a' })
      tx.put(accounts, { id: 'a', balance: 1, name: 'anna' })
      expect(await tx.get(accounts, 'a')).to.include({ name: 'anna' })
      expect(await tx.find(accounts, 'by_name', ['ann'])).to.equal(undefined)
      expect(await tx.find(accounts, 'by_name', ['anna'])).to.include({ id: 'a' })
      tx.insert(accounts, { id: 'b', balance: 2, name: 'ann' })
      expect(await tx.find(accounts, 'by_name', ['ann'])).to.include({ id: 'b' })
      tx.delete(accounts, 'b')
      expect(await tx.get(accounts, 'b')).to.equal(undefined)
      expect(await tx.find(accounts, 'by_name', ['ann'])).to.equal(undefined)
      tx.insert(accounts, { id: 'b', balance: 3 })
    })
    expect(await collection.get('a')).to.include({ name: 'anna' })
    expect(await collection.get('b')).to.deep.equal({ id: 'b', balance: 3 })
  })

  it('writes a document as it is at the call', async () => {
    const document = { id: 'a', balance: 1 }
    await database.transaction(async (tx) => {
      tx.insert(accounts, document)
      document.balance = 99
      expect(await tx.get(accounts, 'a')).to.deep.equal({ id: 'a', balance: 1 })
    })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 1 })
  })

  it('loses none of many concurrent increments', async () => {
    await collection.insert({ id: 'a', balance: 0 })
    const increment = async (tx: Transaction): Promise<void> => {
      const account = await tx.get(accounts, 'a')
      tx.put(accounts, { id: 'a', balance: (account?.balance ?? 0) + 1 })
    }
    await Promise.all(Array.from({ length: 32 }, () => database.transaction(increment)))
    expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 32 })
  })

  it('runs again on a conflict, and sees the change although the cache had the old document', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    const seen: (number | undefined)[] = []
    await database.transaction(async (tx) => {
      const account = await tx.get(accounts, 'a')
      seen.push(account?.balance)
      if (seen.length === 1) await collection.put({ id: 'a', balance: 7 })
      tx.put(accounts, { id: 'a', balance: (account?.balance ?? 0) * 2 })
    })
    expect(seen).to.deep.equal([1, 7])
    expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 14 })
  })

  it('gives up after 16 runs with a conflict', async () => {
    await collection.insert({ id: 'a', balance: 0 })
    let runs = 0
    const error = await rejection(
      database.transaction(async (tx) => {
        await tx.get(accounts, 'a')
        await collection.put({ id: 'a', balance: ++runs })
        tx.put(accounts, { id: 'a', balance: -1 })
      }),
    )
    expect(error).to.include({ code: 'conflict', status: 409 })
    expect(runs).to.equal(16)
    expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 16 })
  })

  it('commits nothing if an absent document was created, by id or by key', async () => {
    for (const look of [(tx: Transaction) => tx.get(accounts, 'b'), (tx: Transaction) => tx.find(accounts, 'by_name', ['bob'])]) {
      let runs = 0
      const found = await database.transaction(async (tx) => {
        const known = await look(tx)
        if (++runs === 1) await collection.put({ id: 'b', balance: 1, name: 'bob' })
        tx.put(accounts, { id: 'seen', balance: known ? 1 : 0 })
        return known
      })
      expect([runs, found?.id]).to.deep.equal([2, 'b'])
      await collection.delete('b')
    }
  })

  it('prevents write skew', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    await collection.insert({ id: 'b', balance: 1 })
    const withdraw = async (from: string): Promise<void> => {
      await database.transaction(async (tx) => {
        const [a, b] = await Promise.all([tx.get(accounts, 'a'), tx.get(accounts, 'b')])
        if ((a?.balance ?? 0) + (b?.balance ?? 0) >= 2) tx.put(accounts, { id: from, balance: 0 })
      })
    }
    await Promise.all([withdraw('a'), withdraw('b')])
    const balances = [(await collection.get('a'))?.balance, (await collection.get('b'))?.balance]
    expect(balances.sort()).to.deep.equal([0, 1])
  })

  it('writes nothing when the work throws, and throws its error', async () => {
    const problem = new Error('no')
    const error = await rejection(
      database.transaction(async (tx) => {
        tx.put(accounts, { id: 'a', balance: 1 })
        throw problem
      }),
    )
    expect(error).to.equal(problem)
    expect(commits.batches).to.have.length(0)
  })

  it('runs again when the work threw because of an inconsistent state', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    await collection.insert({ id: 'b', balance: 1 })
    let runs = 0
    const sum = await database.transaction(async (tx) => {
      const a = await tx.get(accounts, 'a')
      if (++runs === 1) {
        await database.collection(accounts).put({ id: 'a', balance: 0 })
        await database.collection(accounts).put({ id: 'b', balance: 2 })
      }
      const b = await tx.get(accounts, 'b')
      const total = (a?.balance ?? 0) + (b?.balance ?? 0)
      if (total !== 2) throw new Error(`The sum is ${total}.`)
      return total
    })
    expect([runs, sum]).to.deep.equal([2, 2])
  })

  it('verifies the reads of a transaction that writes nothing', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    await collection.insert({ id: 'b', balance: 1 })
    let runs = 0
    const read = await database.transaction(async (tx) => {
      const a = await tx.get(accounts, 'a')
      if (++runs === 1) await collection.put({ id: 'a', balance: 5 })
      return [a?.balance, (await tx.get(accounts, 'b'))?.balance]
    })
    expect([runs, read]).to.deep.equal([2, [5, 1]])
    commits.batches.length = 0
    await database.transaction((tx) => tx.get(accounts, 'a'))
    expect(commits.batches).to.have.length(0)
    runs = 0
    const absent = await database.transaction(async (tx) => {
      const c = await tx.get(accounts, 'c')
      if (++runs === 1) await collection.put({ id: 'c', balance: 1 })
      return c
    })
    expect([runs, absent?.id]).to.deep.equal([2, 'c'])
  })

  it('deletes, also missing documents and its own inserts', async () => {
    await collection.insert({ id: 'a', balance: 1 })
    await database.transaction(async (tx) => {
      tx.delete(accounts, 'a')
      expect(await tx.get(accounts, 'a')).to.equal(undefined)
      tx.delete(accounts, 'absent')
      tx.insert(accounts, { id: 'b', balance: 1 })
      tx.delete(accounts, 'b')
    })
    expect(await collection.get('a')).to.equal(undefined)
    expect(await collection.get('b')).to.equal(undefined)
  })
})
