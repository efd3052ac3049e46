import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AuditEntry } from '@agent-service/kernel-core/audit'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { createGate, openTestDatabase, quietLog, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import { sealedFieldRecords } from '@agent-service/kernel-core/secrets'
import { type Database, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { PluginData } from './plugin-data.js'
import { createPluginDataDeletions, type PluginDataDeletions } from './plugin-data-deletions.js'
import { pluginDataCollections } from './plugin-data-records.js'
import { createPluginRemains, type PluginRemains } from './plugin-remains.js'
import { createPluginSuccessions } from './plugin-successions.js'

interface Note extends StoredObject {
  readonly user_id: string
}

const actor = { userId: 'root', address: null }
const notesOf = (pluginId: string) =>
  defineCollection<Note>()({ name: `${pluginId}.notes`, version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id' })

describe('deletions of data of plugins', () => {
  let test: TestDatabase
  let own: Database
  let data: PluginData
  let remains: PluginRemains
  let deletions: PluginDataDeletions
  let recorded: AuditEntry[]
  /** By plugin: the versions that other nodes have. */
  let elsewhere: Readonly<Record<string, readonly string[]>>
  const versionsElsewhere = async (pluginId: string): Promise<readonly string[]> => elsewhere[pluginId] ?? []
  const { signal } = new AbortController()
  const clock = createSystemClock()
  const record = (_: unknown, entry: AuditEntry): void => void recorded.push(entry)

  beforeEach(async () => {
    test = await openTestDatabase()
    own = await test.database.openFor('kernel', [...pluginDataCollections, sealedFieldRecords])
    data = new PluginData(own, test.database)
    recorded = []
    elsewhere = {}
    const subscriptions = { discardOf: async () => undefined, handOver: async () => undefined }
    const folders = { cacheFolder: path.join(test.folder, 'cache'), usersFolder: path.join(test.folder, 'users') }
    remains = createPluginRemains({ database: own, subscriptions, ...folders })
    deletions = createPluginDataDeletions({ database: own, data, remains, clock, log: quietLog, signal, record, versionsElsewhere })
  })
  afterEach(() => test.end())

  /** A third party's plugin that has run: one document, and one file of Ada. */
  const run = async (id: string, { files = true } = {}): Promise<void> => {
    const definition = notesOf(id)
    const database = await test.database.openFor(id, [definition], { thirdParty: true })
    await data.declare({ id, version: '1.0.0', builtIn: false, subsystems: files ? [id] : [] }, [definition])
    await database.collection(definition).put({ id: 'n1', user_id: 'ada' })
    if (!files) return
    const folder = path.join(test.folder, 'users', 'ada', id)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'plan.md'), 'Roses.')
  }
  const foldersOfAda = (): Promise<readonly string[]> => readdir(path.join(test.folder, 'users', 'ada'))
  const expectRefusal = async (work: Promise<unknown>, message: string): Promise<void> => {
    const outcome = await work.then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    )
    expect(outcome).to.contain(message)
  }
  const kinds = (): readonly string[] => recorded.map(({ kind }) => kind)

  it('do not begin while another plugin takes the data over', async () => {
    await run('garden')
    const reached = createGate()
    const goOn = createGate()
    const held = new (class extends PluginData {
      override async handOver(...given: Parameters<PluginData['handOver']>) {
        reached.open()
        await goOn.opened
        return super.handOver(...given)
      }
    })(own, test.database)
    const successions = createPluginSuccessions({
      ...{ database: own, data: held, deletions, remains, clock, log: quietLog, signal, record },
      sourceOf: () => undefined,
      unreadSources: [],
      versionsElsewhere,
    })
    const successor = { id: 'orchard', version: '1.0.0', builtIn: false, subsystems: ['garden'], renamedFrom: ['garden'] }
    const takeOver = successions.takeOver(successor)
    await reached.opened
    const begun = deletions.begin('garden', actor).then(
      async () => deletions.finish('garden'),
      (error: Error) => error.message,
    )
    // Enough for a begin that waits for nothing: it reads and writes a database in memory.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    goOn.open()
    await takeOver
    expect(await begun).to.contain('Nothing is stored of a plugin “garden”')
    expect(kinds()).to.deep.equal(['plugin_data.handed_over'])
    expect(await data.count('garden.notes')).to.equal(1)
    expect(await foldersOfAda()).to.deep.equal(['garden'])
  })

  it('go on after one that fails, which is left for the next time', async () => {
    await run('beds')
    await run('garden')
    const broken = new Set(['beds'])
    const failing: PluginRemains = {
      ...remains,
      async removeCache(pluginId, options) {
        if (broken.has(pluginId)) throw new Error('The folder cannot be read.')
        return remains.removeCache(pluginId, options)
      },
    }
    deletions = createPluginDataDeletions({
      database: own,
      data,
      remains: failing,
      clock,
      log: quietLog,
      signal,
      record,
      versionsElsewhere,
    })
    for (const id of ['beds', 'garden']) await deletions.begin(id, actor)
    await deletions.continueAll()
    expect((await data.list()).map(({ id }) => id)).to.deep.equal(['beds'])
    expect(await foldersOfAda()).to.deep.equal(['beds'])
    broken.clear()
    await deletions.continueAll()
    expect(await data.list()).to.deep.equal([])
  })

  it('of what a newer version left behind spare the rest of the plugin, which goes on', async () => {
    await run('garden')
    const beds = defineCollection<StoredObject>()({ name: 'garden.beds', version: 1, indexes: {} })
    const sheds = defineCollection<StoredObject>()({ name: 'garden.sheds', version: 1, indexes: {} })
    const database = await test.database.openFor('garden', [notesOf('garden'), beds, sheds], { thirdParty: true })
    for (const collection of [beds, sheds]) await database.collection(collection).put({ id: 'one' })
    const holder = { id: 'garden', version: '1.0.0', builtIn: false, subsystems: ['garden'] }
    await data.declare(holder, [notesOf('garden'), beds, sheds])
    await expectRefusal(deletions.beginLeftBehind('garden', actor), 'has left no collection behind')
    await data.declare({ ...holder, version: '2.0.0' }, [notesOf('garden'), sheds])
    const deleted = await deletions.beginLeftBehind('garden', actor)
    expect([deleted.collections, deleted.folders]).to.deep.equal([[{ name: 'garden.beds', documents: 1 }], []])
    await deletions.finish('garden')
    expect((await test.database.stored.list()).map(({ name }) => name)).to.include.members(['garden.notes', 'garden.sheds'])
    expect((await test.database.stored.list()).map(({ name }) => name)).to.not.include('garden.beds')
    expect((await data.overview())[0]?.collections.map(({ name }) => name)).to.deep.equal(['garden.notes', 'garden.sheds'])
    expect(await foldersOfAda()).to.deep.equal(['garden'])
    expect(await data.count('garden.notes')).to.equal(1)
    expect(kinds()).to.deep.equal(['plugin_data.deletion_begun', 'plugin_data.deleted'])
    await expectRefusal(deletions.beginLeftBehind('garden', actor), 'has left no collection behind')
  })

  it('of what was left behind are completed at the next start, before the plugin stores anything', async () => {
    await run('garden')
    const beds = defineCollection<StoredObject>()({ name: 'garden.beds', version: 1, indexes: {} })
    const database = await test.database.openFor('garden', [notesOf('garden'), beds], { thirdParty: true })
    await database.collection(beds).put({ id: 'one' })
    const holder = { id: 'garden', version: '1.0.0', builtIn: false, subsystems: ['garden'] }
    await data.declare(holder, [notesOf('garden'), beds])
    await data.declare({ ...holder, version: '2.0.0' }, [notesOf('garden')])
    await deletions.beginLeftBehind('garden', actor)
    // The service was killed: the next one knows of no version that runs.
    data = new PluginData(own, test.database)
    deletions = createPluginDataDeletions({ database: own, data, remains, clock, log: quietLog, signal, record, versionsElsewhere })
    await deletions.finish('garden')
    expect((await data.overview())[0]?.collections.map(({ name }) => name)).to.deep.equal(['garden.notes'])
    expect([await data.count('garden.beds'), await data.count('garden.notes')]).to.deep.equal([0, 1])
  })

  it('of everything follow one of what was left behind that is under way', async () => {
    await run('garden')
    await data.declare({ id: 'garden', version: '2.0.0', builtIn: false, subsystems: ['garden'] }, [])
    await deletions.beginLeftBehind('garden', actor)
    const { collections, folders } = await deletions.begin('garden', actor)
    expect([collections, folders]).to.deep.equal([[], ['garden']])
    await deletions.finish('garden')
    expect(await data.list()).to.deep.equal([])
    expect(await foldersOfAda()).to.deep.equal([])
  })

  it('and take-overs do not begin while another node has the plugin', async () => {
    await run('garden')
    elsewhere = { garden: ['1.0.0'] }
    await expectRefusal(deletions.begin('garden', actor), 'another node of the deployment has the plugin (1.0.0)')
    const successions = createPluginSuccessions({
      ...{ database: own, data, deletions, remains, clock, log: quietLog, signal, record, versionsElsewhere },
      ...{ sourceOf: () => undefined, unreadSources: [] },
    })
    const successor = { id: 'orchard', version: '1.0.0', builtIn: false, subsystems: ['garden'], renamedFrom: ['garden'] }
    await expectRefusal(successions.takeOver(successor), 'still installed on another node (1.0.0)')
    expect([await data.count('garden.notes'), kinds()]).to.deep.equal([1, []])
    // What the version that runs everywhere left behind is used nowhere.
    await data.declare({ id: 'garden', version: '2.0.0', builtIn: false, subsystems: ['garden'] }, [])
    await expectRefusal(deletions.beginLeftBehind('garden', actor), 'another node of the deployment has the plugin (1.0.0)')
    elsewhere = { garden: ['2.0.0'] }
    await deletions.beginLeftBehind('garden', actor)
    await deletions.finish('garden')
    expect(await data.count('garden.notes')).to.equal(0)
  })

  it('spare folders that another plugin has too', async () => {
    await run('garden')
    await data.declare({ id: 'feature-garden', version: '2.0.0', builtIn: true, subsystems: ['garden'] }, [])
    const { collections, folders } = await deletions.begin('garden', actor)
    expect([collections.map(({ name }) => name), folders]).to.deep.equal([['garden.notes'], []])
    await deletions.finish('garden')
    expect(await foldersOfAda()).to.deep.equal(['garden'])
    expect((await data.list()).map(({ id }) => id)).to.deep.equal(['feature-garden'])
  })
})
