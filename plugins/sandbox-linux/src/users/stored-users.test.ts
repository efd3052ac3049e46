import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { containerRange, rangeOf, wholeRange } from '../machine/sandbox-users.js'
import { createStoredUsers, numberCollection, userCollection } from './stored-users.js'

const newDatabase = () => createMemoryDatabase([userCollection, numberCollection])

describe('the users of principals', () => {
  it('are the same for a principal each time, also for another service with the same data', async () => {
    const database = newDatabase()
    const users = createStoredUsers(database, wholeRange)
    const first = await users.userOf('agent-one')
    expect(first?.gid).to.equal(first?.uid)
    expect(await users.userOf('agent-one')).to.deep.equal(first)
    expect(await createStoredUsers(database, wholeRange).userOf('agent-one')).to.deep.equal(first)
    expect(await users.ownerOf(first?.uid ?? 0)).to.equal('agent-one')
    expect(await users.ownerOf(0)).to.equal(undefined)
  })

  it('differ, whoever asks at the same time', async () => {
    const database = newDatabase()
    const services = [createStoredUsers(database, wholeRange), createStoredUsers(database, wholeRange)]
    const names = Array.from({ length: 20 }, (_, index) => `agent-${index % 10}`)
    const given = await Promise.all(names.map(async (name, index) => [name, (await services[index % 2]?.userOf(name))?.uid] as const))
    expect(new Set(given.map(([, uid]) => uid)).size).to.equal(10)
    expect(new Set(given.map((pair) => pair.join())).size).to.equal(10)
  })

  it('are forgotten, and their numbers never given again', async () => {
    const users = createStoredUsers(newDatabase(), wholeRange, () => 0)
    expect((await users.userOf('a'))?.uid).to.equal(2_100_000_000)
    await users.forget('a')
    await users.forget('a')
    expect(await users.ownerOf(2_100_000_000)).to.equal(undefined)
    expect((await users.userOf('b'))?.uid).to.equal(2_100_000_001)
    expect((await users.userOf('a'))?.uid).to.equal(2_100_000_002)
  })

  it('are refused when all numbers have been given', async () => {
    const users = createStoredUsers(newDatabase(), { first: 30_000, count: 1 })
    await users.userOf('a')
    const error = await users.userOf('b').catch((caught: unknown) => caught)
    expect((error as Error).message).to.match(/all 1 numbers for users of the sandbox have been given/)
    expect(await users.userOf('a')).to.deep.equal({ uid: 30_000, gid: 30_000 })
  })

  it('have numbers that the machine or container maps', () => {
    expect(rangeOf('         0          0 4294967295\n')).to.equal(wholeRange)
    expect(rangeOf('         0     100000      65536\n')).to.equal(containerRange)
    expect(rangeOf('         0       1000          1\n         1     100000      65536\n')).to.equal(containerRange)
    expect(rangeOf('         0       1000          1\n')).to.equal(undefined)
    expect(rangeOf('')).to.equal(undefined)
  })
})
