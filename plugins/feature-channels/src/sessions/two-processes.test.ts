import { channels } from '@agent-service/sdk/contracts/channel'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { createMemoryDatabase, createTestContext, eventually, type PluginTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from '../index.js'
import { collections } from '../store/collections.js'
import { leaseCollection } from '../store/connection.js'
import { createTown, type Town } from '../test-support/town.js'

const config = { channel: { retry: { max_retries: 5, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 } } }
const renewals = 20_000

describe('a connection in a deployment of two processes', () => {
  let town: Town
  let database: Database
  let hosts: PluginTestContext[]
  /** How often the second process has looked for work. */
  let looked: number
  afterEach(() => Promise.all(hosts.map((host) => host.dispose())))

  const openHost = async (shared: Database): Promise<PluginTestContext> => {
    const host = createTestContext(plugin, { config, services: [[databaseService, shared]] })
    host.services.contributions.add(channels, town.channel)
    await host.setup()
    hosts.push(host)
    return host
  }
  const until = (what: string, isTrue: () => boolean | Promise<boolean>) => eventually(isTrue, { what })
  /** Two processes over one store; the first one has made a connection and has its session. */
  const begin = async (): Promise<readonly [PluginTestContext, PluginTestContext]> => {
    town = createTown()
    hosts = []
    looked = 0
    database = { ...createMemoryDatabase(collections), shared: true }
    const first = await openHost(database)
    await first.request('POST /api/channels/connections', {
      body: { channel: 'town', title: 'Town bot', members: { place: 'here', token: 'town-secret-1' } },
    })
    await until('a session', () => town.sessions.length === 1)
    const second = await openHost({
      ...database,
      async transaction(work, options) {
        const result = await database.transaction(work, options)
        looked += 1
        return result
      },
    })
    await until('a look of the second process', () => looked > 0)
    return [first, second]
  }
  const openSessions = (): readonly number[] => town.sessions.flatMap(({ signal }, index) => (signal.aborted ? [] : [index]))
  const leaseEnd = async () =>
    (await database.collection(leaseCollection).query({ index: 'by_user', equals: ['user-1'], limit: 2 })).items[0]?.until ?? 0

  it('has one session while both live, for as long as its lease is renewed', async () => {
    const [first, second] = await begin()
    for (let round = 0; round < 5; round += 1) {
      const [before, lookedBefore] = [await leaseEnd(), looked]
      await first.services.clock.advance(renewals)
      await until('a longer lease', async () => (await leaseEnd()) > before)
      await second.services.clock.advance(renewals)
      await until('another look', () => looked > lookedBefore)
      expect(openSessions()).to.deep.equal([0])
    }
    expect(town.sessions).to.have.length(1)
  })

  it('has its session in the other process once the first one stops', async () => {
    const [first, second] = await begin()
    await first.dispose()
    expect(openSessions()).to.deep.equal([])
    await second.services.clock.advance(renewals)
    await until('another session', () => town.sessions.length === 2)
    expect(openSessions()).to.deep.equal([1])
  })

  it('is taken over when the first one is silent for a minute, which ends its session when it comes back', async () => {
    const [first, second] = await begin()
    for (let silent = 0; silent < 4; silent += 1) {
      const lookedBefore = looked
      await second.services.clock.advance(renewals)
      await until('another look', () => looked > lookedBefore)
    }
    await until('another session', () => town.sessions.length === 2)
    await first.services.clock.advance(renewals)
    await until('the end of the old session', () => !openSessions().includes(0))
    expect(openSessions()).to.deep.equal([1])
    await first.services.clock.advance(2 * renewals)
    expect(town.sessions).to.have.length(2)
  })
})
