import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { accounts, drivers, openStore, rejection, temporaryFolder } from './open-store.js'

for (const { name, create } of drivers) {
  describe(`adversity for ${name}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    beforeEach(async () => {
      folder = await temporaryFolder()
    })
    afterEach(() => folder.remove())

    /** What a process without rights of its own gets when it opens a folder. */
    const openAsNobody = async (path: string): Promise<string> => {
      const child = fork(fileURLToPath(new URL('./open-child.js', import.meta.url)), [name, path], { execArgv: [] })
      const [[message]] = await Promise.all([once(child, 'message') as Promise<[string]>, once(child, 'exit')])
      return message
    }

    it('says that access is refused, and to what', async () => {
      expect(process.getuid?.(), 'this test gives up rights, so it needs root').to.equal(0)
      await chmod(folder.path, 0o755)
      const path = join(folder.path, 'db')
      const database = await openStore(create(), path)
      await database.close()
      const answer = await openAsNobody(path)
      expect(answer).to.match(/^database_forbidden: /)
      expect(answer).to.contain(path).and.to.contain('read and write access')
      expect(await openAsNobody(join(folder.path, 'new'))).to.match(/^database_forbidden: /)
    })

    it('lives through a full disk: storage_full, reading goes on, writing again once there is room', async () => {
      const disk = join(folder.path, 'disk')
      await mkdir(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk])
      const database = await openStore(create(), join(disk, 'db'))
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
        await rejection(writeFile(join(disk, 'ballast'), Buffer.alloc(8 * 1024 * 1024)))
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
        await rm(join(disk, 'ballast'))
        await changed
        expect(database.health()).to.deep.equal({ writable: true })
        await collection.insert({ id: 'after', balance: 3, padding })
        for (const id of acknowledged) expect(await collection.get(id)).to.include({ id })
        expect(await collection.get(`n${acknowledged.length}`)).to.equal(undefined)
      } finally {
        await database.close()
        execFileSync('umount', [disk])
      }
    })
  })
}
