import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { diskKinds } from '../support/small-disk.js'
import { accounts, drivers, openStore, rejection, temporaryFolder } from './open-store.js'

const scratch = await mkdtemp(join(tmpdir(), 'agent-service-disks-'))
const disks = await diskKinds(scratch).finally(() => rm(scratch, { recursive: true }))

for (const { name, create } of drivers) {
  describe(`adversity for ${name}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    beforeEach(async () => {
      folder = await temporaryFolder()
    })
    afterEach(() => folder.remove())

    /**
     * What a process without rights gets when it opens a folder: as root, one that gives up its
     * own.
     */
    const openWithoutRights = async (path: string): Promise<string> => {
      const child = fork(fileURLToPath(new URL('./open-child.js', import.meta.url)), [name, path], { execArgv: [] })
      const [[message]] = await Promise.all([once(child, 'message') as Promise<[string]>, once(child, 'exit')])
      return message
    }

    it('reports refused access with the path', async () => {
      const path = join(folder.path, 'db')
      const database = await openStore(create(), path)
      await database.close()
      try {
        // Not even the owner may write here. Root may, so as root the child runs as the user
        // “nobody”.
        for (const locked of [path, folder.path]) await chmod(locked, 0o555)
        const answer = await openWithoutRights(path)
        expect(answer).to.match(/^database_forbidden: /)
        expect(answer).to.contain(path).and.to.contain('read and write access')
        expect(await openWithoutRights(join(folder.path, 'new'))).to.match(/^database_forbidden: /)
      } finally {
        for (const locked of [folder.path, path]) await chmod(locked, 0o700)
      }
    })

    for (const kind of disks) {
      it(`survives a full disk (${kind.name}): storage_full, reading works, writing works again once there is space`, async () => {
        const disk = await kind.create(join(folder.path, 'disk'))
        const database = await openStore(create(), join(disk.path, 'db'))
        try {
          const view = await database.openFor('tests', [accounts])
          const collection = view.collection(accounts)
          await collection.insert({ id: 'a', balance: 1 })
          await collection.insert({ id: 'b', balance: 2 })
          const changed = new Promise<void>((resolve) => {
            database.onHealthChange(({ writable }) => {
              if (writable) resolve()
            })
          })
          await disk.fill()
          const padding = 'x'.repeat(400_000)
          const acknowledged: string[] = []
          const error = await rejection(
            (async () => {
              for (let number = 0; number < 100; number++) {
                await collection.insert({ id: `n${number}`, balance: number, padding })
                acknowledged.push(`n${number}`)
              }
            })(),
          )
          expect(error).to.include({ code: 'storage_full' })
          expect(database.health()).to.include({ writable: false, code: 'storage_full' })
          expect(await collection.get('a')).to.deep.equal({ id: 'a', balance: 1 })
          expect(
            await view.transaction(async (tx) => [(await tx.get(accounts, 'a'))?.balance, (await tx.get(accounts, 'b'))?.balance]),
          ).to.deep.equal([1, 2])
          await disk.free()
          await changed
          expect(database.health()).to.deep.equal({ writable: true })
          await collection.insert({ id: 'after', balance: 3, padding })
          for (const id of acknowledged) expect(await collection.get(id)).to.include({ id })
          expect(await collection.get(`n${acknowledged.length}`)).to.equal(undefined)
        } finally {
          await database.close()
          await disk.remove()
        }
      })
    }
  })
}
