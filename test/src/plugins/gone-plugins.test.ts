import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { databaseToken, pluginDataToken } from '@agent-service/kernel/testing/tokens'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { readZip } from '../export/support/read-zip.js'
import { type Api, confirm, signIn, signUp } from '../support/api.js'
import { type NotesPlugin, type NotesStore, openNotes, writeNotesPlugin } from './support/notes-plugin.js'

interface Manifest {
  readonly complete: boolean
  readonly parts: readonly { readonly id: string; readonly records: number }[]
  readonly raw_parts: readonly Readonly<Record<string, unknown>>[]
  readonly files: readonly Readonly<Record<string, unknown>>[]
  readonly absent_plugins: readonly { readonly plugin: string; readonly state: string }[]
  readonly withheld_folders: readonly string[]
}

const password = 'a long enough password'
const sketch = Buffer.alloc(1_000_003, 's')
/** More than a page of documents. */
const many = 130

describe('the data of a plugin that is gone', () => {
  describeWith('sqlite')
  describeWith('lowdb')
})

function describeWith(driver: 'sqlite' | 'lowdb'): void {
  describe(`with ${driver}`, function () {
    this.timeout(90_000)
    let folder: string
    let kernel: TestKernel | undefined
    let plugins: readonly string[]
    beforeEach(async () => {
      folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-gone-')))
      plugins = []
    })
    afterEach(async () => {
      await kernel?.stop()
      kernel = undefined
      await rm(folder, { recursive: true, force: true })
    })

    const running = (): TestKernel => {
      if (!kernel) throw new Error('The service does not run.')
      return kernel
    }
    const reportOf = (id: string) =>
      running()
        .plugins.report()
        .find((plugin) => plugin.id === id)
    const stateOf = (id: string) => reportOf(id)?.state
    /** Starts the service again, with these plugins alone beside the built-in ones. */
    const start = async (given: readonly NotesPlugin[], environment: Readonly<Record<string, string>> = {}): Promise<void> => {
      await kernel?.stop()
      plugins = await Promise.all(given.map((plugin) => writeNotesPlugin(folder, plugin)))
      kernel = await createTestKernel({ folder, plugins, environment: { SERVICE_DATABASE_DRIVER: driver, ...environment } })
      for (const { id, fails = false } of given) expect(stateOf(id) === 'failed', JSON.stringify(reportOf(id))).to.equal(fails)
    }
    const store = (id = 'notes'): Promise<NotesStore> => openNotes(running().container.resolve(databaseToken), id)
    const stored = async (name: string): Promise<number> => running().container.resolve(databaseToken).stored.count(name)
    const people = async (): Promise<{ readonly root: Api; readonly ada: Api }> => {
      const root = await signUp(running().url, 'root')
      const ada = await signUp(running().url, 'ada')
      return { root, ada }
    }
    /** Ada's and root's notes, in a service whose plugin runs. */
    const fill = async ({ root, ada }: { readonly root: Api; readonly ada: Api }): Promise<void> => {
      const { entries, places } = await store()
      for (let n = 0; n < many; n += 1) await entries.put({ id: `e${n}`, user_id: ada.userId, text: `entry ${n}`, token: 'a sealed text' })
      await entries.put({ id: 'other', user_id: root.userId, text: 'of root', token: '' })
      await places.put({ id: 'p1', owner_id: ada.userId, name: 'Grünau' })
      await places.put({ id: 'p2', owner_id: root.userId, name: 'Wels' })
      const files = path.join(folder, 'data', 'users', 'ada', 'notes')
      await mkdir(files, { recursive: true })
      await writeFile(path.join(files, 'sketch.txt'), sketch)
    }
    const archiveOf = async (username: string) => {
      const person = await signIn(running().url, username, password)
      await confirm(person)
      const response = await fetch(`${person.url}/api/users/me/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}` },
      })
      expect(response.status).to.equal(200)
      const files = readZip(Buffer.from(await response.arrayBuffer()))
      return { files, manifest: JSON.parse(String(files.get('manifest.json'))) as Manifest }
    }
    const sizesOf = async (userId: string) => {
      const root = await signIn(running().url, 'root', password)
      const { body } = await root.request('GET', `/api/admin/users/${userId}/data`)
      return body as unknown as {
        readonly parts: readonly Readonly<Record<string, unknown>>[]
        readonly files: { readonly bytes: number }
        readonly absent_plugins: readonly string[]
      }
    }
    const deleteUser = async (userId: string): Promise<void> => {
      const root = await signIn(running().url, 'root', password)
      await confirm(root)
      const { status, body } = await root.request('DELETE', `/api/admin/users/${userId}`)
      expect(status, JSON.stringify(body)).to.equal(204)
    }
    const lines = (file: Buffer | undefined) =>
      String(file)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

    it('is in the export as it is stored, and in the sizes', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      expect((await archiveOf('ada')).manifest).to.deep.include({ complete: true, raw_parts: [], absent_plugins: [] })
      await start([{ id: 'writings' }])
      expect(stateOf('notes')).to.equal(undefined)

      const { files, manifest } = await archiveOf('ada')
      const entries = lines(files.get('raw/notes/notes.entries.ndjson'))
      expect(entries).to.have.length(many)
      expect(entries[0]).to.deep.equal({ id: 'e0', user_id: ada.userId, text: 'entry 0' })
      expect(lines(files.get('raw/notes/notes.places.ndjson'))).to.deep.equal([{ id: 'p1', owner_id: ada.userId, name: 'Grünau' }])
      const bytesOf = (name: string): number => files.get(`raw/notes/${name}.ndjson`)?.byteLength ?? -1
      expect(manifest.raw_parts).to.deep.equal([
        {
          plugin: 'notes',
          state: 'gone',
          raw: true,
          folder: 'raw/notes',
          collections: [
            {
              name: 'notes.entries',
              file: 'raw/notes/notes.entries.ndjson',
              records: many,
              bytes: bytesOf('notes.entries'),
              left_out_members: ['token'],
            },
            {
              name: 'notes.places',
              file: 'raw/notes/notes.places.ndjson',
              records: 1,
              bytes: bytesOf('notes.places'),
              left_out_members: [],
            },
          ],
          records: many + 1,
          bytes: bytesOf('notes.entries') + bytesOf('notes.places'),
          complete: true,
          problems: [],
        },
      ])
      expect(manifest.absent_plugins).to.deep.equal([{ plugin: 'notes', state: 'gone' }])
      expect([manifest.complete, files.has('INCOMPLETE.txt')]).to.deep.equal([false, true])
      expect(String(files.get('INCOMPLETE.txt'))).to.include('raw_parts')
      expect(files.get('files/notes/sketch.txt')?.equals(sketch)).to.equal(true)
      expect(manifest.files.find(({ id }) => id === 'notes')).to.include({ plugin: 'notes', state: 'gone', files: 1 })
      expect([...files.values()].join('\n')).to.not.include('a sealed text')

      const { parts, files: stored, absent_plugins: absent } = await sizesOf(ada.userId)
      expect(stored.bytes, 'its files count as others do').to.be.at.least(sketch.byteLength)
      const raw = parts.filter((part) => part['raw'] === true)
      expect(raw.map(({ id, plugin, state, records }) => ({ id, plugin, state, records }))).to.deep.equal([
        { id: 'raw:notes.entries', plugin: 'notes', state: 'gone', records: many },
        { id: 'raw:notes.places', plugin: 'notes', state: 'gone', records: 1 },
      ])
      expect(raw[0]?.['bytes']).to.be.greaterThan(0)
      expect(absent).to.deep.equal(['notes'])
    })

    it('is erased with its account, and that of no one else', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      await start([])
      await deleteUser(ada.userId)
      await eventually(async () => expect([await stored('notes.entries'), await stored('notes.places')]).to.deep.equal([1, 1]))
      await start([{ id: 'notes' }])
      expect((await (await store()).entries.get('other'))?.text).to.equal('of root')
    })

    // What follows does not depend on the driver.
    if (driver !== 'sqlite') return

    it('of an account that has none is not listed', async () => {
      await start([{ id: 'notes' }])
      await fill(await people())
      await signUp(running().url, 'bob')
      await start([])
      const { files, manifest } = await archiveOf('bob')
      expect(manifest).to.deep.include({ complete: true, raw_parts: [], absent_plugins: [] })
      expect([...files.keys()].filter((name) => name.startsWith('raw/'))).to.deep.equal([])
    })

    it('is erased when its account was deleted before, once the plugin is gone or switched off', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      await start([{ id: 'notes', fails: true }])
      expect(stateOf('notes')).to.equal('failed')
      await deleteUser(ada.userId)
      await start([{ id: 'notes', fails: true }])
      expect(await stored('notes.entries'), 'a plugin that failed erases them when it runs again').to.equal(many + 1)
      await start([{ id: 'notes' }], { SERVICE_PLUGINS_DISABLED: '["notes"]' })
      expect(stateOf('notes')).to.equal('disabled')
      await eventually(async () => expect([await stored('notes.entries'), await stored('notes.places')]).to.deep.equal([1, 1]))
    })

    it('counts for a newer version that declares a collection no more', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      await start([{ id: 'notes', withoutPlaces: true }])
      const { files, manifest } = await archiveOf('ada')
      expect(manifest).to.deep.include({ complete: true, absent_plugins: [] })
      expect(manifest.parts.find(({ id }) => id === 'notes')?.records).to.equal(many)
      expect(manifest.raw_parts.map(({ plugin, state, records }) => ({ plugin, state, records }))).to.deep.equal([
        { plugin: 'notes', state: 'active', records: 1 },
      ])
      expect(lines(files.get('raw/notes/notes.places.ndjson'))).to.have.length(1)
      expect(files.has('raw/notes/notes.entries.ndjson')).to.equal(false)
      await deleteUser(ada.userId)
      await eventually(async () => expect([await stored('notes.entries'), await stored('notes.places')]).to.deep.equal([1, 1]))
    })

    it('that belongs to another plugin by now is refused by its name, and is no data of the plugin that declares it', async () => {
      await start([{ id: 'notes' }])
      await fill(await people())
      await start([])
      const given = await running()
        .container.resolve(pluginDataToken)
        .handOver('notes', { id: 'writings', version: '1.0.0', builtIn: false })
      expect(given).to.deep.equal(['notes.entries', 'notes.places'])
      await start([{ id: 'notes', fails: true }])
      const report = running()
        .plugins.report()
        .find(({ id }) => id === 'notes')
      expect(report?.reason).to.include('notes declares the collection notes.entries, which belongs to writings')
      const records = await running().container.resolve(pluginDataToken).list()
      expect(records.map(({ id }) => id).filter((id) => ['notes', 'writings'].includes(id))).to.deep.equal(['writings'])
      expect((await archiveOf('ada')).manifest.raw_parts.map(({ plugin, records: count }) => [plugin, count])).to.deep.equal([
        ['writings', many + 1],
      ])
    })

    it('is not in the export where the policies forbid what its plugin showed, or the file in the archive', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      await start([])
      const allowed = await archiveOf('ada')
      expect(allowed.manifest.raw_parts.map(({ complete }) => complete)).to.deep.equal([true])
      const admin = await signIn(running().url, 'root', password)
      const forbidden: readonly (readonly [string, string])[] = [
        [`forbid (principal == User::"${ada.userId}", action == Action::"call", resource == Route::"notesList");`, 'notesList'],
        [
          'forbid (principal is User, action == Action::"read_file", resource is File) when { resource.path like "raw/notes/*" };',
          'do not permit you to read one file',
        ],
      ]
      for (const [text, reason] of forbidden) {
        await confirm(admin)
        const made = await admin.request('POST', '/api/admin/policies', { text })
        expect(made.status, JSON.stringify(made.body)).to.equal(201)
        const { files, manifest } = await archiveOf('ada')
        expect(
          [...files.keys()].filter((name) => name.startsWith('raw/')),
          text,
        ).to.deep.equal([])
        expect(manifest.raw_parts).to.have.length(1)
        expect(manifest.raw_parts[0]).to.include({ plugin: 'notes', records: 0, complete: false })
        expect(JSON.stringify(manifest.raw_parts[0]?.['problems'])).to.include('"forbidden"').and.include(reason)
        await admin.request('DELETE', `/api/admin/policies/${String(made.body['id'])}`)
      }
    })

    it('of one that is installed and does not run is in the export, and erased by the plugin alone', async () => {
      await start([{ id: 'notes' }])
      const { root, ada } = await people()
      await fill({ root, ada })
      await start([{ id: 'notes', fails: true }])
      const { manifest } = await archiveOf('ada')
      expect(manifest.raw_parts.map(({ plugin, state, records }) => ({ plugin, state, records }))).to.deep.equal([
        { plugin: 'notes', state: 'failed', records: many + 1 },
      ])
      expect(manifest.absent_plugins).to.deep.equal([{ plugin: 'notes', state: 'failed' }])
      expect(manifest.complete).to.equal(false)
      await deleteUser(ada.userId)
      await start([{ id: 'notes' }])
      await eventually(async () => expect([await stored('notes.entries'), await stored('notes.places')]).to.deep.equal([1, 1]))
    })
  })
}
