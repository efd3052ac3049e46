import { setImmediate } from 'node:timers/promises'
import type { KernelDatabase } from '@agent-service/kernel/testing'
import type { Collection, Database, Transaction } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type Account, accounts, drivers, openStore, rejection, temporaryFolder } from './open-store.js'

for (const { name, create } of drivers) {
  describe(`transactions over ${name}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let kernel: KernelDatabase
    let database: Database
    let collection: Collection<Account>

    beforeEach(async () => {
      folder = await temporaryFolder()
      kernel = await openStore(create(), folder.path)
      database = await kernel.openFor('tests', [accounts])
      collection = database.collection(accounts)
      await collection.insert({ id: 'a', balance: 100 })
      await collection.insert({ id: 'b', balance: 0 })
    })
    afterEach(async () => {
      await kernel.close()
      await folder.remove()
    })

    const add = async (tx: Transaction, id: string, amount: number): Promise<void> => {
      const account = await tx.get(accounts, id)
      tx.put(accounts, { ...account, id, balance: (account?.balance ?? 0) + amount })
    }

    it('lose no change when two, or many, change one document', async () => {
      await Promise.all([database.transaction((tx) => add(tx, 'a', 1)), database.transaction((tx) => add(tx, 'a', 2))])
      expect((await collection.get('a'))?.balance).to.equal(103)
      await Promise.all(Array.from({ length: 16 }, () => database.transaction((tx) => add(tx, 'b', 1))))
      expect((await collection.get('b'))?.balance).to.equal(16)
    })

    it('are never partially visible', async () => {
      const seen = new Set<string>()
      let done = false
      const reader = async (): Promise<void> => {
        while (!done) {
          // Reads may end without a turn of the event loop, which the writers need.
          await setImmediate()
          // In a transaction all that is read is of one moment.
          const balances = await database.transaction(async (tx) => [
            (await tx.get(accounts, 'b'))?.balance,
            (await tx.get(accounts, 'a'))?.balance,
          ])
          seen.add(JSON.stringify((balances[0] ?? 0) + (balances[1] ?? 0)))
          // An outside reader who has seen the later document of a commit never gets the earlier
          // state of the other: b grows as a shrinks.
          const b = (await collection.get('b'))?.balance ?? 0
          const a = (await collection.get('a'))?.balance ?? 0
          if (a + b > 100) seen.add(`half: ${a} and ${b}`)
        }
      }
      const readers = [reader(), reader()]
      for (let round = 0; round < 30; round++) {
        await database.transaction(async (tx) => {
          await add(tx, 'a', -1)
          await add(tx, 'b', 1)
        })
      }
      done = true
      await Promise.all(readers)
      expect([...seen]).to.deep.equal(['100'])
      expect((await collection.get('b'))?.balance).to.equal(30)
    })

    it('do not wait for a slow parallel one, which runs again if they changed its reads', async () => {
      let go = (): void => undefined
      const held = new Promise<void>((resolve) => {
        go = resolve
      })
      let runs = 0
      const slow = database.transaction(async (tx) => {
        const account = await tx.get(accounts, 'a')
        if (++runs === 1) await held
        tx.put(accounts, { id: 'slow', balance: account?.balance ?? 0 })
      })
      for (let round = 0; round < 20; round++) await database.transaction((tx) => add(tx, 'a', 1))
      expect((await collection.get('a'))?.balance).to.equal(120)
      go()
      await slow
      expect([runs, (await collection.get('slow'))?.balance]).to.deep.equal([2, 120])
    })

    it('prevent write skew', async () => {
      await collection.put({ id: 'b', balance: 100 })
      const takeIfBoth = (from: string): Promise<void> =>
        database.transaction(async (tx) => {
          const [a, b] = await Promise.all([tx.get(accounts, 'a'), tx.get(accounts, 'b')])
          if (a?.balance === 100 && b?.balance === 100) tx.put(accounts, { id: from, balance: 0 })
        })
      await Promise.all([takeIfBoth('a'), takeIfBoth('b')])
      expect([(await collection.get('a'))?.balance, (await collection.get('b'))?.balance].sort()).to.deep.equal([0, 100])
    })

    it('write nothing when they throw after the first write, also after a restart', async () => {
      const failing = database.transaction(async (tx) => {
        await add(tx, 'a', -50)
        throw new Error('no')
      })
      expect((await rejection(failing)).message).to.equal('no')
      expect((await collection.get('a'))?.balance).to.equal(100)
      await kernel.close()
      kernel = await openStore(create(), folder.path)
      const reopened = (await kernel.openFor('tests', [accounts])).collection(accounts)
      expect((await reopened.get('a'))?.balance).to.equal(100)
    })

    it('let exactly one of many claim a unique key, or an id', async () => {
      const outcomes = async (work: (number: number) => Promise<unknown>): Promise<Record<string, number>> => {
        const settled = await Promise.allSettled(Array.from({ length: 12 }, (_, number) => work(number)))
        const counts: Record<string, number> = {}
        for (const outcome of settled) {
          const key = outcome.status === 'fulfilled' ? 'won' : String((outcome.reason as { readonly code?: string }).code)
          counts[key] = (counts[key] ?? 0) + 1
        }
        return counts
      }
      expect(await outcomes((number) => collection.insert({ id: `k${number}`, balance: 1, name: 'ann' }))).to.deep.equal({
        won: 1,
        unique_violation: 11,
      })
      expect(await outcomes(() => collection.insert({ id: 'same', balance: 1 }))).to.deep.equal({ won: 1, document_exists: 11 })
      const register = (number: number): Promise<void> =>
        database.transaction(async (tx) => {
          if (await tx.find(accounts, 'by_name', ['bob'])) throw Object.assign(new Error('taken'), { code: 'taken' })
          tx.insert(accounts, { id: `r${number}`, balance: 1, name: 'bob' })
        })
      expect(await outcomes(register)).to.deep.equal({ won: 1, taken: 11 })
    })

    it('have cursors that stay valid while data changes', async () => {
      for (let balance = 1000; balance < 1030; balance++) await collection.insert({ id: `n${balance}`, balance })
      const query = { index: 'by_balance', from: 1000, limit: 7 } as const
      const seen: string[] = []
      let page = await collection.query(query)
      for (let round = 0; ; round++) {
        seen.push(...page.items.map(({ id }) => id))
        // Behind the reader and before it: the last one it saw goes, one that was seen moves
        // nowhere, a new one comes at either side.
        await collection.delete(seen.at(-1) ?? '')
        await collection.insert({ id: `low${round}`, balance: 1000.25 + round / 100 })
        if (page.nextCursor === undefined) break
        page = await collection.query({ ...query, cursor: page.nextCursor })
      }
      expect(new Set(seen).size).to.equal(seen.length)
      expect(seen.filter((id) => id.startsWith('n'))).to.deep.equal(Array.from({ length: 30 }, (_, index) => `n${1000 + index}`))
    })

    it('call their callbacks in the order of commits, before their promises resolve', async () => {
      const called: number[] = []
      await Promise.all(
        Array.from({ length: 12 }, (_, number) => {
          let own = 0
          return database
            .transaction(async (tx) => {
              tx.put(accounts, { id: `c${number}`, balance: number })
              kernel.kernelView(tx).afterCommit((revision) => {
                own = revision
                called.push(revision)
              })
            })
            .then(() => expect(called).to.include(own))
        }),
      )
      expect(called).to.have.length(12)
      expect(called).to.deep.equal([...called].sort((left, right) => left - right))
    })
  })
}
