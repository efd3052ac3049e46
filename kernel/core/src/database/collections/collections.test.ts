import type { Collection, Database } from '@agent-service/sdk/services/database'
import { defineCollection } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openTestDatabase, quietLog, recordCommits, rejection, type TestDatabase, wrapDriver } from '../testing/test-database.js'

interface Thing {
  readonly id: string
  readonly name?: string
  readonly email?: string | null
  readonly rank?: number | null
  readonly inner?: { readonly deep: string | readonly string[] }
}

const things = defineCollection<Thing>()({
  name: 'tests.things',
  version: 1,
  indexes: { by_email: { fields: ['email'], unique: true }, by_name: { fields: ['name', 'rank'] }, by_deep: { fields: ['inner.deep'] } },
})

describe('collections', () => {
  const commits = recordCommits()
  let test: TestDatabase
  let database: Database
  let collection: Collection<Thing>

  beforeEach(async () => {
    test = await openTestDatabase({ driver: wrapDriver(createMemoryDatabaseDriver(), commits.wrap) })
    database = await test.database.openFor('tests', [things])
    collection = database.collection(things)
    commits.batches.length = 0
  })
  afterEach(() => test.end())

  it('inserts, reads, replaces and deletes, with growing revisions', async () => {
    const inserted = await collection.insert({ id: 'a', name: 'one' })
    expect(inserted.document).to.deep.equal({ id: 'a', name: 'one' })
    expect(await collection.getEntry('a')).to.deep.equal(inserted)
    const put = await collection.put({ id: 'a', name: 'two' })
    expect(put.revision).to.be.greaterThan(inserted.revision)
    expect(await collection.get('a')).to.deep.equal({ id: 'a', name: 'two' })
    expect(test.database.revision()).to.equal(put.revision)
    expect(await collection.delete('a')).to.equal(true)
    expect(await collection.get('a')).to.equal(undefined)
    expect(await collection.delete('a')).to.equal(false)
  })

  it('inserts with one commit and no read, and refuses an id that is taken', async () => {
    await collection.insert({ id: 'a' })
    expect(commits.batches).to.have.length(1)
    expect(commits.batches[0]?.checks).to.deep.equal([{ kind: 'revision', collection: 'tests.things', id: 'a', revision: 0 }])
    const error = await rejection(collection.insert({ id: 'a', name: 'again' }))
    expect(error).to.include({ code: 'document_exists', status: 409 })
    expect(await collection.get('a')).to.deep.equal({ id: 'a' })
  })

  it('replaces only the revision that was read', async () => {
    const first = await collection.insert({ id: 'a' })
    const second = await collection.put({ id: 'a', name: 'two' }, { revision: first.revision })
    expect(await rejection(collection.put({ id: 'a', name: 'three' }, { revision: first.revision }))).to.include({
      code: 'conflict',
      status: 409,
    })
    expect(await rejection(collection.put({ id: 'b' }, { revision: second.revision }))).to.include({ code: 'conflict' })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', name: 'two' })
  })

  it('finds by unique keys, which omit keys of nulls', async () => {
    await collection.insert({ id: 'a', email: 'a@example.org' })
    await collection.insert({ id: 'b', email: null })
    await collection.insert({ id: 'c' })
    expect(await collection.find('by_email', ['a@example.org'])).to.deep.equal({ id: 'a', email: 'a@example.org' })
    expect(await collection.find('by_email', [null])).to.equal(undefined)
    expect(await collection.find('by_email', ['x'.repeat(5000)])).to.equal(undefined)
    const error = await rejection(collection.insert({ id: 'd', email: 'a@example.org' }))
    expect(error).to.include({ code: 'unique_violation', status: 409 })
    expect(error.message).to.contain('by_email')
    expect(await collection.get('d')).to.equal(undefined)
    await collection.delete('a')
    await collection.insert({ id: 'd', email: 'a@example.org' })
  })

  it('does not confuse two ill-formed texts', async () => {
    await collection.insert({ id: '\ufffd', email: '\ufffd' })
    expect(await collection.get('\ud800')).to.equal(undefined)
    expect(await collection.delete('\ud800')).to.equal(false)
    expect(await collection.find('by_email', ['\ud800'])).to.equal(undefined)
    expect(await collection.get('')).to.equal(undefined)
    expect(await collection.get('x'.repeat(300))).to.equal(undefined)
  })

  it('refuses documents before anything is written, with the path', async () => {
    const date = { id: 'a', name: new Date(0) } as unknown as Thing
    expect((await rejection(collection.insert(date))).message).to.contain('name is a Date')
    expect((await rejection(collection.put({ id: 'a', inner: { deep: ['x'] } }))).message).to.contain('inner.deep')
    expect((await rejection(collection.put({ id: 'a', name: 'é'.repeat(501) }))).message).to.contain('1002 bytes')
    expect(commits.batches).to.have.length(0)
  })

  it('returns frozen documents', async () => {
    const { document } = await collection.insert({ id: 'a', inner: { deep: 'x' } })
    for (const read of [document, await collection.get('a'), (await collection.query({ index: 'by_deep' })).items[0]]) {
      expect(Object.isFrozen(read)).to.equal(true)
      expect(Object.isFrozen(read?.inner)).to.equal(true)
    }
  })

  it('restricts collections to their owners', async () => {
    const others = defineCollection<Thing>()({ name: 'others.things', version: 1, indexes: {} })
    const other = await test.database.openFor('others', [others])
    expect(() => database.collection(others)).to.throw('which it did not declare')
    expect(() => other.collection(things)).to.throw('others uses the collection tests.things')
    const error = await rejection(test.database.openFor('others', [others, { ...things }]))
    expect(error).to.include({ code: 'collection_taken' })
    expect(error.message).to.contain('others declares').and.to.contain('belongs to tests')
    expect(await rejection(test.database.openFor('others', [{ ...others, name: 'kernel.users' }]))).to.include({ code: 'collection_taken' })
    expect(await rejection(test.database.openFor('kernel', [{ ...others, name: 'kernel.database' }]))).to.include({
      code: 'collection_taken',
    })
    expect(await test.database.openFor('tests', [things])).to.have.property('collection')
  })

  it('keeps stored collections with their owner, third party or service, whichever opens first', async () => {
    const notes = defineCollection<Thing>()({ name: 'tool_notes.notes', version: 1, indexes: {} })
    const reopen = async () => {
      await test.end()
      test = await openTestDatabase({ driver: await storedDriver })
      return test.database
    }
    const driver = wrapDriver(createMemoryDatabaseDriver(), (connection) => ({ ...connection, close: async () => undefined }))
    const storedDriver = driver
      .open({ path: test.folder, settings: {}, log: quietLog, signal: AbortSignal.timeout(60_000) })
      .then((connection) => ({
        ...driver,
        open: async () => connection,
      }))
    const first = await reopen()
    await first.openFor('tests', [things])
    await first.openFor('tool-notes', [notes], { thirdParty: true })
    const another = await reopen()
    expect(await rejection(another.openFor('another', [notes], { thirdParty: true }))).to.include({ code: 'collection_taken' })
    const refused = await rejection((await reopen()).openFor('another', [things], { thirdParty: true }))
    expect(refused).to.include({ code: 'collection_taken' })
    expect(refused.message).to.contain('belongs to a part of the service')
    expect(await rejection((await reopen()).openFor('feature-notes', [notes]))).to.include({ code: 'collection_taken' })
    const last = await reopen()
    expect(await last.openFor('tool-notes', [notes], { thirdParty: true })).to.have.property('collection')
    expect(await last.openFor('another-part', [things])).to.have.property('collection')
  })

  for (const [what, change] of [
    ['a name without an owner', { name: 'things' }],
    ['a name in camel case', { name: 'tests.myThings' }],
    ['version 0', { version: 0 }],
    ['an index without fields', { indexes: { empty: { fields: [] } } }],
    ['an index with an empty step', { indexes: { bad: { fields: ['a..b'] } } }],
    [
      'a gap in the migrations',
      {
        version: 3,
        migrations: [
          { to: 3, description: '', migrate: (d: never) => d },
          { to: 2, description: '', migrate: (d: never) => d },
        ],
      },
    ],
    ['migrations beyond the version', { version: 1, migrations: [{ to: 2, description: '', migrate: (d: never) => d }] }],
  ] as const) {
    it(`refuses a definition with ${what}`, async () => {
      expect(await rejection(test.database.openFor('tests', [{ ...things, ...change }]))).to.include({ code: 'collection_invalid' })
    })
  }

  it('rejects everything after close', async () => {
    await collection.insert({ id: 'a' })
    await collection.get('a')
    await test.database.close()
    await test.database.close()
    for (const call of [() => collection.get('a'), () => collection.insert({ id: 'b' }), () => collection.query({ index: 'by_name' })]) {
      expect(await rejection(call())).to.include({ code: 'database_closed' })
    }
    expect(await rejection(database.transaction(async (tx) => tx.put(things, { id: 'c' })))).to.include({ code: 'database_closed' })
  })
})
