import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DatabaseConnection,
  type DatabaseDriver,
  type DatabaseHealth,
  databaseUnreachableError,
  storageFullError,
} from '@agent-service/sdk/contracts/database-driver'
import { defineCollection } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createSystemClock } from '../../clock/index.js'
import { createControlledClock } from '../../clock/testing/index.js'
import { openTestDatabase, quietLog, rejection, wrapDriver } from '../testing/test-database.js'
import { type OpenDatabaseOptions, openDatabase } from './open-database.js'

const things = defineCollection()({ name: 'tests.things', version: 1, indexes: {} })

describe('openDatabase', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-service-open-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const options = (change: Partial<OpenDatabaseOptions> = {}): OpenDatabaseOptions => ({
    driver: createMemoryDatabaseDriver(),
    path: join(folder, 'deep', 'db'),
    settings: {},
    cache: { ttlSeconds: 300, maxEntries: 1000 },
    clock: createSystemClock(),
    log: quietLog,
    signal: AbortSignal.timeout(10_000),
    ...change,
  })

  it('creates the folder for its user alone, and locks it until it is closed', async () => {
    const database = await openDatabase(options())
    expect((await stat(join(folder, 'deep', 'db'))).mode & 0o777).to.equal(0o700)
    expect(await rejection(openDatabase(options()))).to.include({ code: 'database_locked' })
    await database.close()
    const again = await openDatabase(options())
    await again.close()
  })

  it('refuses a path that is not a folder', async () => {
    const file = join(folder, 'file')
    await writeFile(file, 'text')
    for (const path of [file, join(file, 'below')]) {
      const error = await rejection(openDatabase(options({ path })))
      expect(error).to.include({ code: 'database_forbidden' })
      expect(error.message).to.contain(file)
    }
  })

  it('releases the folder when the driver fails or the start is cancelled', async () => {
    const broken: DatabaseDriver = { ...createMemoryDatabaseDriver(), open: () => Promise.reject(new Error('broken')) }
    expect((await rejection(openDatabase(options({ driver: broken })))).message).to.equal('broken')
    const controller = new AbortController()
    let closed = false
    const slow = wrapDriver(createMemoryDatabaseDriver(), (connection): DatabaseConnection => {
      controller.abort(new Error('given up'))
      return {
        ...connection,
        close: async () => {
          closed = true
          await connection.close()
        },
      }
    })
    expect((await rejection(openDatabase(options({ driver: slow, signal: controller.signal })))).message).to.equal('given up')
    expect(closed).to.equal(true)
    const database = await openDatabase(options())
    await database.close()
  })

  it('creates no folder for a server, and waits a minute for it', async () => {
    const clock = createControlledClock()
    const memory = createMemoryDatabaseDriver()
    let calls = 0
    const server = (reachableAt: number): DatabaseDriver => ({
      ...memory,
      supports: { embedded: false, hotBackup: false, textSearch: true },
      open(opened) {
        calls++
        return clock.monotonic() >= reachableAt
          ? memory.open(opened)
          : Promise.reject(databaseUnreachableError.create({ reason: 'refused' }))
      },
    })
    const path = join(folder, 'none')
    const opening = openDatabase(options({ driver: server(30_000), path, clock, url: 'postgres://localhost' }))
    await clock.advance(40_000)
    await (await opening).close()
    expect(calls).to.be.within(5, 15)
    expect(await rejection(stat(path))).to.include({ code: 'ENOENT' })
    const failing = rejection(openDatabase(options({ driver: server(Number.POSITIVE_INFINITY), path, clock })))
    await clock.advance(61_000)
    expect(await failing).to.include({ code: 'database_unreachable' })
  })
})

describe('the health of a database', () => {
  it('becomes storage_full while reads go on, and recovers by itself when there is space', async () => {
    const clock = createControlledClock()
    let full = false
    let health: DatabaseHealth = { writable: true }
    const driver = wrapDriver(createMemoryDatabaseDriver(), (connection) => ({
      ...connection,
      health: () => health,
      async commit(batch) {
        health = full ? { writable: false, code: 'storage_full', reason: 'no room' } : { writable: true }
        if (full) throw storageFullError.create({ path: '/somewhere' })
        return connection.commit(batch)
      },
    }))
    const { database, end } = await openTestDatabase({ driver, clock })
    const collection = (await database.openFor('tests', [things])).collection(things)
    await collection.insert({ id: 'a' })
    const changes: boolean[] = []
    const stop = database.onHealthChange(({ writable }) => changes.push(writable))
    full = true
    expect(await rejection(collection.insert({ id: 'b' }))).to.include({ code: 'storage_full', status: 507 })
    expect(database.health()).to.include({ writable: false, code: 'storage_full' })
    expect(await collection.get('a')).to.deep.equal({ id: 'a' })
    await clock.advance(5000)
    expect(changes).to.deep.equal([false])
    full = false
    await clock.advance(1500)
    // The probe is durable after turns of the event loop that the clock does not wait for.
    for (let turn = 0; turn < 20 && changes.length < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
    expect(changes).to.deep.equal([false, true])
    expect(database.health()).to.deep.equal({ writable: true })
    await collection.insert({ id: 'b' })
    await stop()
    await end()
    expect(clock.pending()).to.equal(0)
  })
})
