import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backUpDatabase, type KernelDatabase, restoreDatabase } from '@agent-service/kernel/testing'
import type { JsonObject } from '@agent-service/sdk'
import { type Collection, type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type Account, accounts, drivers, openStore, rejection, temporaryFolder } from './open-store.js'

const never = { signal: new AbortController().signal, progress: () => undefined }

for (const { name, dataFile, create } of drivers) {
  describe(`stored data of ${name}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let path: string
    let kernel: KernelDatabase
    let collection: Collection<Account>

    const open = async (): Promise<void> => {
      kernel = await openStore(create(), path)
      collection = (await kernel.openFor('tests', [accounts])).collection(accounts)
    }

    beforeEach(async () => {
      folder = await temporaryFolder()
      path = join(folder.path, 'db')
      await open()
      for (let number = 0; number < 40; number++) await collection.insert({ id: `a${number}`, balance: number, name: `name ${number}` })
    })
    afterEach(async () => {
      await kernel.close()
      await folder.remove()
    })

    it('is migrated once, with its indexes', async () => {
      await kernel.close()
      const next: CollectionDefinition<Account & { readonly doubled: number }> = {
        name: accounts.name,
        version: 2,
        indexes: { by_doubled: { fields: ['doubled'], unique: true } },
        migrations: [
          {
            to: 2,
            description: 'Doubles.',
            migrate: (document: JsonObject) => ({ ...document, doubled: Number(document['balance']) * 2 }),
          },
        ],
      }
      for (let start = 0; start < 2; start++) {
        kernel = await openStore(create(), path)
        expect(await kernel.planMigrations([next])).to.have.length(start === 0 ? 1 : 0)
        const migrated = (await kernel.openFor('tests', [next])).collection(next)
        expect(await migrated.find('by_doubled', [14])).to.include({ id: 'a7', balance: 7, doubled: 14 })
        expect((await migrated.query({ index: 'by_doubled', limit: 200 })).items).to.have.length(40)
        await kernel.close()
      }
      const old = await openStore(create(), path)
      expect(await rejection(old.openFor('tests', [accounts]))).to.include({ code: 'database_newer' })
      await old.close()
    })

    it('is backed up consistently during writes, and restored', async () => {
      const database = await kernel.openFor('tests', [accounts])
      let working = true
      const work = async (): Promise<void> => {
        for (let round = 0; working; round++) {
          await database.transaction(async (tx) => {
            tx.put(accounts, { id: 'first', balance: round })
            tx.put(accounts, { id: 'second', balance: round })
          })
        }
      }
      const running = work()
      const backup = join(folder.path, 'backup')
      await backUpDatabase(kernel, backup, never)
      working = false
      await running
      await kernel.close()
      const manifest = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8')) as JsonObject
      expect(manifest).to.include({ driver: name, format: 1 })
      expect((await readdir(folder.path)).sort()).to.deep.equal(['backup', 'db'])

      const restored = join(folder.path, 'restored')
      await restoreDatabase({ from: backup, path: restored, driver: name })
      path = restored
      await open()
      expect(await collection.find('by_name', ['name 7'])).to.include({ id: 'a7' })
      expect((await collection.query({ index: 'by_balance', limit: 200 })).items.length).to.be.within(40, 42)
      expect((await collection.get('first'))?.balance).to.equal((await collection.get('second'))?.balance)
      const later = await collection.put({ id: 'later', balance: 1 })
      expect(later.revision).to.be.greaterThan(0)
      expect((await readdir(folder.path)).sort()).to.deep.equal(['backup', 'db', 'restored'])
    })

    it('is not backed up into an existing folder, nor restored over one, over a lock, or from damage', async () => {
      const backup = join(folder.path, 'backup')
      await backUpDatabase(kernel, backup, never)
      expect(await rejection(backUpDatabase(kernel, backup, never))).to.include({ code: 'backup_refused' })
      expect(await rejection(restoreDatabase({ from: backup, path }))).to.include({ code: 'backup_refused' })
      expect(await rejection(restoreDatabase({ from: backup, path: join(folder.path, 'new'), driver: 'other' }))).to.include({
        code: 'backup_refused',
      })
      await kernel.close()
      for (const entry of await readdir(path)) if (entry !== 'lock') await rm(join(path, entry), { recursive: true })
      await restoreDatabase({ from: backup, path })
      await open()
      expect(await collection.get('a1')).to.include({ balance: 1 })
      const file = join(backup, 'data', (await readdir(join(backup, 'data')))[0] ?? '')
      const content = await readFile(file)
      for (const damage of [
        content.subarray(0, content.length - 1),
        Buffer.concat([content.subarray(0, -1), Buffer.of(content.at(-1) === 1 ? 2 : 1)]),
      ]) {
        await writeFile(file, damage)
        expect(await rejection(restoreDatabase({ from: backup, path: join(folder.path, 'new') }))).to.include({ code: 'backup_invalid' })
      }
      await rm(file)
      expect(await rejection(restoreDatabase({ from: backup, path: join(folder.path, 'new') }))).to.include({ code: 'backup_invalid' })
      expect(await readdir(folder.path)).not.to.include('new')
    })

    it('leaves nothing of an aborted backup', async () => {
      const controller = new AbortController()
      controller.abort(new Error('enough'))
      expect(
        (await rejection(backUpDatabase(kernel, join(folder.path, 'backup'), { ...never, signal: controller.signal }))).message,
      ).to.equal('enough')
      expect(await readdir(folder.path)).to.deep.equal(['db'])
    })

    it('is refused when damaged, with the damaged file, and is not changed', async () => {
      await kernel.close()
      const file = join(path, dataFile)
      const whole = await readFile(file)
      for (const damage of [
        whole.subarray(0, Math.floor(whole.length / 2)),
        Buffer.from('this is no database'.repeat(100)),
        Buffer.alloc(whole.length, 0xa5),
      ]) {
        await writeFile(file, damage)
        const error = await rejection(
          openStore(create(), path).then(async (opened) => {
            try {
              const things = (await opened.openFor('tests', [accounts])).collection(accounts)
              for (let number = 0; number < 40; number++) await things.get(`a${number}`)
            } finally {
              await opened.close()
            }
          }),
        )
        expect(error).to.include({ code: 'database_corrupt' })
        expect(error.message).to.contain(path)
      }
      await writeFile(file, whole)
      await open()
      expect(await collection.get('a1')).to.include({ balance: 1 })
    })

    it('keeps acknowledged writes in an empty folder that was made by hand', async () => {
      const made = join(folder.path, 'made')
      await mkdir(made)
      const other = await openStore(create(), made)
      const things = defineCollection()({ name: 'tests.things', version: 1, indexes: {} })
      await (await other.openFor('tests', [things])).collection(things).insert({ id: 'x' })
      await other.close()
      await truncate(join(made, 'lock'), 0)
      const again = await openStore(create(), made)
      expect(await (await again.openFor('tests', [things])).collection(things).get('x')).to.deep.equal({ id: 'x' })
      await again.close()
    })
  })
}
