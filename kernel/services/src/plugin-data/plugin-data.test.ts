import { createGate, openTestDatabase, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, type Database, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { PluginData } from './plugin-data.js'
import { pluginDataCollections, pluginDataRecords } from './plugin-data-records.js'

interface Note extends StoredObject {
  readonly user_id: string
  readonly text: string
  readonly token?: string
}

interface Plot extends StoredObject {
  readonly owner: { readonly id: string }
}

const notes = defineCollection<Note>()({
  name: 'garden.notes',
  version: 1,
  indexes: { by_user: { fields: ['user_id', 'id'] } },
  userField: 'user_id',
  sealed: ['token'],
})
/** Without an index that begins with the user. */
const beds = defineCollection<Note>()({ name: 'garden.beds', version: 1, indexes: { by_text: { fields: ['text'] } }, userField: 'user_id' })
const weather = defineCollection<StoredObject>()({ name: 'garden.weather', version: 1, indexes: {} })
const holder = { id: 'garden', version: '1.2.0', builtIn: false, subsystems: ['garden'] }
const { signal } = new AbortController()

describe('data of plugins', () => {
  let test: TestDatabase
  let data: PluginData

  beforeEach(async () => {
    test = await openTestDatabase()
    data = new PluginData(await test.database.openFor('kernel', pluginDataCollections), test.database)
  })
  afterEach(() => test.end())

  /** As after a start. */
  const reopened = async (): Promise<PluginData> =>
    new PluginData(await test.database.openFor('kernel', pluginDataCollections), test.database)
  const openPlugin = async (definitions: readonly CollectionDefinition[] = [notes, beds, weather]): Promise<Database> => {
    await data.declare(holder, definitions)
    return test.database.openFor('garden', definitions, { thirdParty: true })
  }
  const fill = async (): Promise<Database> => {
    const database = await openPlugin()
    for (let n = 0; n < 230; n++) {
      await database.collection(notes).put({ id: `n${n}`, user_id: n % 2 === 0 ? 'ada' : 'ada2', text: `note ${n}`, token: 'sealed text' })
      if (n < 6) await database.collection(beds).put({ id: `b${n}`, user_id: n % 2 === 0 ? 'ada' : 'bob', text: `bed ${n}` })
    }
    await database.collection(weather).put({ id: 'today' })
    return database
  }
  const documentsOf = async (name: string, userId: string) => {
    const record = (await data.list()).find(({ id }) => id === 'garden')
    const collection = record?.collections.find((each) => each.name === name)
    if (!collection) throw new Error(`${name} is unknown`)
    const documents: JsonObject[] = []
    for await (const document of data.documentsOf(collection, userId, { signal })) documents.push(document)
    return { collection, documents }
  }

  it('knows what a plugin declared, and keeps what a later version left behind', async () => {
    await openPlugin()
    await data.declare({ ...holder, version: '2.0.0', subsystems: [] }, [notes])
    expect(await data.list()).to.deep.equal([
      {
        id: 'garden',
        version: '2.0.0',
        third_party: true,
        collections: [
          { name: 'garden.notes', user_field: 'user_id', sealed: ['token'] },
          { name: 'garden.beds', user_field: 'user_id', sealed: [] },
          { name: 'garden.weather', user_field: null, sealed: [] },
        ],
        subsystems: ['garden'],
      },
    ])
  })

  it('reads a user’s documents without what is sealed, by an index or by a scan', async () => {
    await fill()
    const { documents } = await documentsOf('garden.notes', 'ada')
    expect(documents).to.have.length(115)
    expect(documents[0]).to.deep.equal({ id: 'n0', user_id: 'ada', text: 'note 0' })
    expect((await documentsOf('garden.beds', 'ada')).documents.map(({ id }) => id)).to.deep.equal(['b0', 'b2', 'b4'])
    expect((await documentsOf('garden.weather', 'ada')).documents).to.deep.equal([])
  })

  it('erases a user’s documents and those of no one else', async () => {
    const database = await fill()
    const { collection } = await documentsOf('garden.notes', 'ada')
    expect(await database.collection(notes).get('n0')).to.include({ text: 'note 0' })
    expect(await data.eraseOf(collection, 'ada', { signal })).to.equal(115)
    expect(await data.eraseOf(collection, 'ada', { signal })).to.equal(0)
    expect(await database.collection(notes).get('n0')).to.equal(undefined)
    expect(await data.count('garden.notes')).to.equal(115)
  })

  it('finds the user below the top level, by an index or by a scan', async () => {
    const index = { by_owner: { fields: ['owner.id'] } }
    const plots = defineCollection<Plot>()({ name: 'garden.plots', version: 1, indexes: index, userField: 'owner.id' })
    const paths = defineCollection<Plot>()({ name: 'garden.paths', version: 1, indexes: {}, userField: 'owner.id' })
    const database = await openPlugin([plots, paths])
    for (const definition of [plots, paths]) {
      await database.collection(definition).put({ id: 'p1', owner: { id: 'ada' } })
      await database.collection(definition).put({ id: 'p2', owner: { id: 'bob' } })
      const { collection, documents } = await documentsOf(definition.name, 'ada')
      expect(documents).to.deep.equal([{ id: 'p1', owner: { id: 'ada' } }])
      expect(await data.eraseOf(collection, 'ada', { signal })).to.equal(1)
      expect(await data.count(definition.name)).to.equal(1)
    }
  })

  it('knows collections of plugins that ran before declarations were kept', async () => {
    await test.database.openFor('garden', [notes, weather], { thirdParty: true })
    expect(await data.list()).to.deep.equal([
      {
        id: 'garden',
        version: 'unknown',
        third_party: true,
        collections: [
          { name: 'garden.notes', user_field: 'user_id', sealed: [] },
          { name: 'garden.weather', user_field: null, sealed: [] },
        ],
        subsystems: [],
      },
    ])
  })

  it('discards everything of a plugin, which may then begin anew', async () => {
    await fill()
    await data.discard('garden', { signal })
    expect(await data.list()).to.deep.equal([])
    expect((await test.database.stored.list()).filter(({ name }) => !name.startsWith('kernel.'))).to.deep.equal([])
    const again = await openPlugin()
    expect(await again.collection(notes).get('n0')).to.equal(undefined)
  })

  it('hands everything over under its names, and again after a crash in between', async () => {
    await fill()
    const given = (await data.list())[0]
    expect(await data.handOver('garden', { id: 'orchard', version: '1.2.0', builtIn: false })).to.deep.equal([
      'garden.notes',
      'garden.beds',
      'garden.weather',
    ])
    const opened = await test.database.openFor('orchard', [{ ...notes }], { thirdParty: true }).catch((error: Error) => error.message)
    expect(opened).to.contain('belongs to garden')
    expect(await data.list()).to.deep.equal([{ ...given, id: 'orchard' }])
    expect((await test.database.stored.list()).filter(({ owner }) => owner === 'orchard')).to.have.length(3)
    expect(await data.handOver('garden', { id: 'orchard', version: '1.2.0', builtIn: false })).to.deep.equal([])
  })

  it('discards nothing that was handed over, when the record of the giver is still there', async () => {
    await fill()
    await test.database.stored.rebind(['garden.notes', 'garden.beds', 'garden.weather'], 'orchard')
    await data.discard('garden', { signal })
    expect(await data.count('garden.notes')).to.equal(230)
  })

  it('leaves a collection that moved to another built-in plugin to that one', async () => {
    const shared = defineCollection<StoredObject>()({ name: 'greenhouse.plants', version: 1, indexes: {} })
    const old = defineCollection<StoredObject>()({ name: 'greenhouse.pots', version: 1, indexes: {} })
    await data.declare({ id: 'feature-greenhouse', version: '1.0.0', builtIn: true, subsystems: [] }, [shared, old])
    await data.declare({ id: 'feature-plants', version: '2.0.0', builtIn: true, subsystems: [] }, [shared])
    const database = await test.database.openFor('feature-plants', [shared, old])
    await database.collection(shared).put({ id: 'fern' })
    await database.collection(old).put({ id: 'clay' })
    await data.discard('feature-greenhouse', { signal })
    expect([await data.count('greenhouse.plants'), await data.count('greenhouse.pots')]).to.deep.equal([1, 0])
  })

  it('takes a collection that moved from one built-in plugin to another as that of the new one alone', async () => {
    const plants = defineCollection<Note>()({ name: 'greenhouse.plants', version: 1, indexes: {}, userField: 'user_id' })
    const builtIn = { version: '1.0.0', builtIn: true, subsystems: [] }
    const covered = new Set<string>()
    await data.declare({ ...builtIn, id: 'feature-greenhouse' }, [plants])
    await test.database.openFor('feature-greenhouse', [plants])
    // The next start: both run, in either order.
    for (const order of [
      ['feature-greenhouse', 'feature-plants'],
      ['feature-plants', 'feature-greenhouse'],
    ]) {
      const next = await reopened()
      for (const id of order) await next.declare({ ...builtIn, id, version: '2.0.0' }, id === 'feature-plants' ? [plants] : [])
      expect((await next.uncovered(covered)).map(({ plugin, collection }) => [plugin, collection.name])).to.deep.equal([
        ['feature-plants', 'greenhouse.plants'],
      ])
    }
    // Known without a start, too.
    expect((await (await reopened()).uncovered(covered)).map(({ plugin }) => plugin)).to.deep.equal(['feature-plants'])
  })

  it('lists a collection once that the records of two built-in plugins have', async () => {
    const plants = { name: 'greenhouse.plants', user_field: 'user_id', sealed: [] }
    await test.database.openFor('feature-plants', [defineCollection<Note>()({ name: plants.name, version: 1, indexes: {} })])
    const own = await test.database.openFor('kernel', pluginDataCollections)
    for (const id of ['feature-greenhouse', 'feature-plants'])
      await own.collection(pluginDataRecords).put({ id, version: '1.0.0', third_party: false, collections: [plants], subsystems: [] })
    expect(await data.uncovered(new Set())).to.have.length(1)
    expect(await data.uncovered(new Set([plants.name]))).to.deep.equal([])
  })

  it('keeps together what plugins declare at the same time, and writes nothing that is kept', async () => {
    const own = await test.database.openFor('kernel', pluginDataCollections)
    const counts = { reads: 0, transactions: 0 }
    const [reached, goOn] = [createGate(), createGate()]
    const counted = {
      ...own,
      collection: (definition: CollectionDefinition) => {
        const collection = own.collection(definition)
        return {
          ...collection,
          get: async (id: string) => {
            const document = await collection.get(id)
            counts.reads += 1
            return document
          },
        }
      },
      transaction: async (...given: Parameters<Database['transaction']>) => {
        counts.transactions += 1
        reached.open()
        await goOn.opened
        return own.transaction(...given)
      },
    } as unknown as Database
    const holders = Array.from({ length: 85 }, (_, n) => ({ ...holder, id: `garden${n}`, subsystems: [] }))
    const definitionsOf = (id: string) => [defineCollection<Note>()({ name: `${id}.notes`, version: 1, indexes: {}, userField: 'user_id' })]
    const before = test.database.revision()
    const start = async (): Promise<void> => {
      const next = new PluginData(counted, test.database)
      const [first, ...others] = holders.map((each) => () => next.declare(each, definitionsOf(each.id)))
      const begun = [first?.()]
      await reached.opened
      begun.push(...others.map((declare) => declare()))
      while (counts.reads < holders.length) await new Promise((resolve) => setImmediate(resolve))
      goOn.open()
      await Promise.all(begun)
    }
    await start()
    expect([counts.transactions, test.database.revision() - before]).to.deep.equal([2, 2])
    expect(await data.list()).to.have.length(85)
    await start()
    expect([counts.transactions, test.database.revision() - before]).to.deep.equal([2, 2])
  })

  it('fails alone where a declaration cannot be kept', async () => {
    const own = await test.database.openFor('kernel', pluginDataCollections)
    const [reached, goOn] = [createGate(), createGate()]
    const failing = {
      ...own,
      transaction: async (work: Parameters<Database['transaction']>[0]) => {
        reached.open()
        await goOn.opened
        return own.transaction(async (transaction) =>
          work({
            ...transaction,
            put: (definition, document) => {
              if (document.id === 'weeds') throw new Error('It is too large.')
              transaction.put(definition, document)
            },
          } as typeof transaction),
        )
      },
    } as unknown as Database
    const next = new PluginData(failing, test.database)
    const declare = (id: string) =>
      next.declare({ ...holder, id }, []).then(
        () => 'kept',
        (error: Error) => error.message,
      )
    const first = declare('garden')
    await reached.opened
    const others = ['weeds', 'orchard'].map(declare)
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    goOn.open()
    expect(await Promise.all([first, ...others])).to.deep.equal(['kept', 'It is too large.', 'kept'])
  })

  it('hands what a built-in plugin takes over to the service’s own parts', async () => {
    await fill()
    await data.handOver('garden', { id: 'feature-garden', version: '2.0.0', builtIn: true })
    expect((await test.database.stored.list()).filter(({ name }) => name.startsWith('garden.')).map(({ owner }) => owner)).to.deep.equal([
      null,
      null,
      null,
    ])
    expect(await data.collectionsOf('feature-garden')).to.have.length(3)
  })
})
