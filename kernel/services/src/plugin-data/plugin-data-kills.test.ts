import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AuditEntry } from '@agent-service/kernel-core/audit'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { openTestDatabase, quietLog, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import { sealedFieldRecords } from '@agent-service/kernel-core/secrets'
import { type CollectionDefinition, type Database, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { PluginData } from './plugin-data.js'
import { createPluginDataDeletions, type PluginDataDeletions } from './plugin-data-deletions.js'
import { pluginDataCollections } from './plugin-data-records.js'
import { createPluginRemains } from './plugin-remains.js'
import { createPluginSuccessions, type PluginSuccessions } from './plugin-successions.js'

const actor = { userId: 'root', address: null }
const notes = defineCollection<StoredObject>()({ name: 'garden.notes', version: 1, indexes: {}, sealed: ['token'] })
const beds = defineCollection<StoredObject>()({ name: 'garden.beds', version: 1, indexes: {} })
const garden = { id: 'garden', version: '1.0.0', builtIn: false, subsystems: ['garden'] }
const orchard = { ...garden, id: 'orchard', renamedFrom: ['garden'] }

/** A process over the store, which dies before its n-th write. */
interface Life {
  readonly data: PluginData
  readonly deletions: PluginDataDeletions
  readonly successions: PluginSuccessions
}

describe('data of plugins, killed before any write', () => {
  let test: TestDatabase
  let own: Database
  let recorded: string[]
  const { signal } = new AbortController()

  beforeEach(async () => {
    await open()
  })
  afterEach(() => test.end())

  const open = async (): Promise<void> => {
    test = await openTestDatabase()
    own = await test.database.openFor('kernel', [...pluginDataCollections, sealedFieldRecords])
    recorded = []
    const database = await test.database.openFor('garden', [notes, beds], { thirdParty: true })
    await live().data.declare(garden, [notes, beds])
    await own.collection(sealedFieldRecords).put({ id: 'garden.notes/token', collection: notes.name, field: 'token', plugin_id: 'garden' })
    for (const collection of [notes, beds]) for (const id of ['one', 'two']) await database.collection(collection).put({ id })
    await mkdir(path.join(test.folder, 'users', 'ada', 'garden'), { recursive: true })
    await writeFile(path.join(test.folder, 'users', 'ada', 'garden', 'plan.md'), 'Roses.')
  }

  const live = (writes = Number.POSITIVE_INFINITY): Life => {
    let left = writes
    const step = (): void => {
      left -= 1
      if (left < 0) throw new Error('killed')
    }
    const database = {
      ...own,
      collection: (definition: CollectionDefinition) => {
        const collection = own.collection(definition)
        return {
          ...collection,
          put: async (...given: Parameters<typeof collection.put>) => {
            step()
            return collection.put(...given)
          },
          delete: async (...given: Parameters<typeof collection.delete>) => {
            step()
            return collection.delete(...given)
          },
        }
      },
      transaction: async (...given: Parameters<Database['transaction']>) => {
        step()
        return own.transaction(...given)
      },
    } as unknown as Database
    const { stored } = test.database
    const mortal: Pick<TestDatabase['database'], 'stored'> = {
      stored: {
        ...stored,
        async drop(names, options) {
          for (const name of names) {
            step()
            await stored.drop([name], options)
          }
        },
        async rebind(...given) {
          step()
          await stored.rebind(...given)
        },
      },
    }
    const data = new PluginData(database, mortal)
    const subscriptions = { discardOf: async () => step(), handOver: async () => step() }
    const folders = { cacheFolder: path.join(test.folder, 'cache'), usersFolder: path.join(test.folder, 'users') }
    const remains = createPluginRemains({ database, subscriptions, ...folders })
    const shared = {
      ...{ database, data, remains, clock: createSystemClock(), log: quietLog, signal },
      record: (_: unknown, { kind }: AuditEntry) => void recorded.push(kind),
      versionsElsewhere: async () => [],
    }
    const deletions = createPluginDataDeletions(shared)
    return { data, deletions, successions: createPluginSuccessions({ ...shared, deletions, sourceOf: () => undefined, unreadSources: [] }) }
  }

  /** Kills the work before its first write, its second, … until it ends, each over a store of its own, and goes on after each. */
  const killEverywhere = async (work: (life: Life) => Promise<unknown>, afterwards: () => Promise<void>): Promise<number> => {
    for (let writes = 0; ; writes += 1) {
      const outcome = await work(live(writes)).then(
        () => 'done',
        (error: Error) => error.message,
      )
      if (outcome !== 'done') {
        expect(outcome).to.contain('killed')
        await work(live())
      }
      await afterwards()
      if (outcome === 'done') return writes
      await test.end()
      await open()
    }
  }
  const storedNow = async () => ({
    collections: (await test.database.stored.list())
      .filter(({ name }) => name.startsWith('garden.'))
      .map(({ name, owner }) => `${name} ${owner}`),
    plugins: (await live().data.list()).map(({ id, collections }) => `${id}: ${collections.map(({ name }) => name).join()}`),
    sealed: (await own.collection(sealedFieldRecords).query({ index: 'by_collection' })).items.map(({ plugin_id }) => plugin_id),
    folders: await readdir(path.join(test.folder, 'users', 'ada')),
    decisions: [...(await live().deletions.decisions()).keys()],
  })

  it('are taken over whole', async () => {
    const steps = await killEverywhere(
      ({ successions }) => successions.takeOver(orchard),
      async () => {
        expect(await storedNow()).to.deep.equal({
          collections: ['garden.beds orchard', 'garden.notes orchard'],
          plugins: ['orchard: garden.notes,garden.beds'],
          sealed: ['orchard'],
          folders: ['garden'],
          decisions: [],
        })
        expect([await live().data.count('garden.notes'), await live().data.count('garden.beds')]).to.deep.equal([2, 2])
        expect(recorded).to.include('plugin_data.handed_over')
      },
    )
    expect(steps).to.be.greaterThan(4)
  })

  it('are deleted whole', async () => {
    const steps = await killEverywhere(
      async ({ deletions }) => {
        const isAgain = (await deletions.decisions()).has('garden') || (await live().data.list()).length > 0
        if (isAgain) await deletions.begin('garden', actor)
        await deletions.finish('garden')
      },
      async () => {
        expect(await storedNow()).to.deep.equal({ collections: [], plugins: [], sealed: [], folders: [], decisions: [] })
        expect(recorded).to.deep.equal(['plugin_data.deletion_begun', 'plugin_data.deleted'])
      },
    )
    expect(steps).to.be.greaterThan(4)
  })

  it('are deleted where a newer version left them behind, and nothing else is', async () => {
    const steps = await killEverywhere(
      async ({ data, deletions }) => {
        // As the start of the plugin does.
        await deletions.finish('garden')
        await data.declare({ ...garden, version: '2.0.0' }, [notes])
        if ((await data.collectionsOf('garden')).some(({ left_behind }) => left_behind)) await deletions.beginLeftBehind('garden', actor)
        await deletions.finish('garden')
      },
      async () => {
        expect(await storedNow()).to.deep.equal({
          collections: ['garden.notes garden'],
          plugins: ['garden: garden.notes'],
          sealed: ['garden'],
          folders: ['garden'],
          decisions: [],
        })
        expect(await live().data.count('garden.notes')).to.equal(2)
        expect(recorded).to.deep.equal(['plugin_data.deletion_begun', 'plugin_data.deleted'])
      },
    )
    expect(steps).to.be.greaterThan(3)
  })
})
