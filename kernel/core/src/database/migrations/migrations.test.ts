import type { JsonObject } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createSystemClock } from '../../clock/index.js'
import type { KernelDatabase } from '../open/kernel-database.js'
import { openDatabase } from '../open/open-database.js'
import { openTestDatabase, quietLog, rejection, type TestDatabase, wrapDriver } from '../testing/test-database.js'

/**
 * A person's name is a text in version 1, an object from version 2, and has a length from version
 * 3. No step can be done twice.
 */
const versions = (version: number): CollectionDefinition => ({
  name: 'tests.people',
  version,
  indexes:
    version === 1
      ? { by_name: { fields: ['name'], unique: true } }
      : { by_name: { fields: ['name.text'] }, by_steps: { fields: ['steps'] } },
  migrations: [
    {
      to: 2,
      description: 'The name becomes an object.',
      migrate: (document: JsonObject) => {
        if (typeof document['name'] !== 'string') throw new Error('Migrated twice.')
        return { ...document, name: { text: document['name'] }, steps: Number(document['steps'] ?? 0) + 1 }
      },
    },
    {
      to: 3,
      description: 'The name gets its length.',
      migrate: (document: JsonObject) => {
        const name = document['name'] as { readonly text: string; readonly length?: number }
        if (name.length !== undefined) throw new Error('Migrated twice.')
        return { ...document, name: { ...name, length: name.text.length }, steps: Number(document['steps']) + 10 }
      },
    },
  ].slice(0, version - 1),
})

const people = 250

describe('migrations', () => {
  let driver: DatabaseDriver
  let test: TestDatabase

  const reopen = (over: DatabaseDriver = driver): Promise<KernelDatabase> =>
    openDatabase({
      driver: over,
      path: test.folder,
      settings: {},
      cache: { ttlSeconds: 0, maxEntries: 0 },
      clock: createSystemClock(),
      log: quietLog,
      signal: AbortSignal.timeout(10_000),
    })

  /** Every stored document of the collection. */
  const stored = async (): Promise<readonly JsonObject[]> => {
    const connection = await driver.open({ path: test.folder, settings: {}, log: quietLog, signal: AbortSignal.timeout(10_000) })
    return (await connection.scan('tests.people', { limit: 10_000 })).map(({ body }) => JSON.parse(body) as JsonObject)
  }

  beforeEach(async () => {
    driver = createMemoryDatabaseDriver()
    test = await openTestDatabase({ driver })
    const database = await test.database.openFor('tests', [versions(1)])
    const collection = database.collection(versions(1) as CollectionDefinition<{ readonly id: string; readonly name: string }>)
    await Promise.all(Array.from({ length: people }, (_, index) => collection.insert({ id: `p${index}`, name: `name ${index}` })))
    await test.database.close()
  })
  afterEach(() => test.end())

  it('go through all steps, in order, once for each document, and build the new indexes', async () => {
    const database = await reopen()
    const definition = versions(3) as CollectionDefinition<{ readonly id: string; readonly steps: number }>
    const collection = (await database.openFor('tests', [definition])).collection(definition)
    const page = await collection.query({ index: 'by_steps', equals: [11], limit: 200 })
    expect(page.items).to.have.length(200)
    expect((await collection.query({ index: 'by_name', equals: ['name 7'] })).items).to.deep.equal([
      { id: 'p7', name: { text: 'name 7', length: 6 }, steps: 11 },
    ])
    expect((await stored()).map((document) => document['steps'])).to.deep.equal(Array.from({ length: people }, () => 11))
    await database.close()
    const again = await reopen()
    await again.openFor('tests', [definition])
    expect(await again.planMigrations([definition])).to.deep.equal([])
    await again.close()
  })

  it('can be planned without writing anything', async () => {
    const database = await reopen()
    const revision = database.revision()
    expect(await database.planMigrations([versions(3), { name: 'tests.new', version: 4, indexes: {} }])).to.deep.equal([
      { collection: 'tests.people', from: 1, to: 2, description: 'The name becomes an object.', documents: people },
      { collection: 'tests.people', from: 2, to: 3, description: 'The name gets its length.', documents: people },
    ])
    await database.close()
    const again = await reopen()
    expect(again.revision()).to.equal(revision)
    await again.close()
    expect((await stored())[0])
      .to.have.property('name')
      .that.is.a('string')
  })

  /** A driver that fails permanently at its `number`th change, before or after making it. */
  const crashingDriver = (number: number, done: boolean): DatabaseDriver => {
    let changes = 0
    const count = async <Result>(change: () => Promise<Result>): Promise<Result> => {
      changes++
      if (changes > number || (changes === number && !done)) throw new Error('The power is out.')
      const result = await change()
      if (changes === number) throw new Error('The power is out.')
      return result
    }
    return wrapDriver(driver, (connection) => ({
      ...connection,
      commit: (batch) => count(() => connection.commit(batch)),
      ensureCollection: (layout, keysOf) => count(() => connection.ensureCollection(layout, keysOf)),
    }))
  }

  it('resume after a crash at any change, and migrate nothing twice', async () => {
    let crashes = 0
    for (let number = 1; ; number++) {
      for (const done of [false, true]) {
        const broken = await reopen(crashingDriver(number, done))
        const outcome = await broken.openFor('tests', [versions(2)]).then(
          () => 'done',
          (error: unknown) => String(error),
        )
        await broken.close()
        if (outcome === 'done' && !done) {
          expect(crashes).to.be.greaterThan(8)
          return
        }
        if (outcome !== 'done') crashes++
        // Meanwhile a new version has one more step.
        const database = await reopen()
        await database.openFor('tests', [versions(3)])
        expect((await stored()).map((document) => document['steps'])).to.deep.equal(Array.from({ length: people }, () => 11))
        await database.close()
        await test.end()
        driver = createMemoryDatabaseDriver()
        test = await openTestDatabase({ driver })
        const fresh = await test.database.openFor('tests', [versions(1)])
        const collection = fresh.collection(versions(1) as CollectionDefinition<{ readonly id: string; readonly name: string }>)
        await Promise.all(Array.from({ length: people }, (_, index) => collection.insert({ id: `p${index}`, name: `name ${index}` })))
        await test.database.close()
      }
    }
  })

  it('refuse to open half-migrated data with the previous version', async () => {
    const broken = await reopen(crashingDriver(3, true))
    expect(await rejection(broken.openFor('tests', [versions(2)]))).to.have.property('message', 'The power is out.')
    expect((await broken.planMigrations([versions(2)]))[0]?.documents).to.be.within(1, people - 1)
    await broken.close()
    const old = await reopen()
    expect(await rejection(old.openFor('tests', [versions(1)]))).to.include({ code: 'database_newer' })
    expect(await rejection(old.planMigrations([versions(1)]))).to.include({ code: 'database_newer' })
    await old.close()
  })

  it('refuse data that is newer than the code', async () => {
    const database = await reopen()
    await database.openFor('tests', [versions(3)])
    await database.close()
    const old = await reopen()
    const error = await rejection(old.openFor('tests', [versions(2)]))
    expect(error).to.include({ code: 'database_newer' })
    expect(error.message).to.contain('version 3').and.to.contain('up to 2')
    await old.close()
  })

  it('refuse data that is older than the oldest step', async () => {
    const database = await reopen()
    const definition = versions(3)
    const error = await rejection(database.openFor('tests', [{ ...definition, migrations: (definition.migrations ?? []).slice(1) }]))
    expect(error).to.include({ code: 'migration_missing' })
    await database.close()
    expect((await stored())[0])
      .to.have.property('name')
      .that.is.a('string')
  })

  it('name the document that a step fails for, and resume there once the step is corrected', async () => {
    const definition = versions(2)
    const failing = (message: string): CollectionDefinition => ({
      ...definition,
      migrations: (definition.migrations ?? []).map((step) => ({
        ...step,
        migrate: (document: JsonObject) => {
          if (document['id'] === 'p200') throw new Error(message)
          return step.migrate(document)
        },
      })),
    })
    const database = await reopen()
    const error = await rejection(database.openFor('tests', [failing('no such name')]))
    expect(error).to.include({ code: 'migration_failed' })
    expect(error.message).to.contain('p200').and.to.contain('no such name')
    await database.openFor('tests', [definition])
    await database.close()
    expect((await stored()).map((document) => document['steps'])).to.deep.equal(Array.from({ length: people }, () => 1))
  })

  it('refuse a step that changes an id', async () => {
    const database = await reopen()
    const definition = { ...versions(2), migrations: [{ to: 2, description: 'Bad.', migrate: () => ({ id: 'other' }) }] }
    expect(await rejection(database.openFor('tests', [definition]))).to.include({ code: 'migration_failed' })
    await database.close()
  })

  it('change indexes without a new version, and refuse a unique index that the data violates', async () => {
    const database = await reopen()
    const changed = { ...versions(1), indexes: { by_name: { fields: ['name'] }, by_nothing: { fields: ['nothing'], unique: true } } }
    await database.openFor('tests', [changed])
    const collection = (await database.openFor('tests', [changed])).collection(changed)
    expect((await collection.query({ index: 'by_name', limit: 200 })).items).to.have.length(200)
    await collection.put({ id: 'p1', name: 'name 2' } as never)
    expect(await rejection(database.openFor('tests', [versions(1)]))).to.include({ code: 'unique_violation' })
    await database.close()
  })
})
