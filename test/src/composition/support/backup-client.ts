import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { accounts, drivers, openStore, rejection, temporaryFolder } from '../../database/open-store.js'
import { signUp } from '../../support/api.js'
import { restoreInto } from '../../support/restore-backup.js'
import { waitForFolder } from '../../support/wait-for-folder.js'

/** A client that disconnects while a backup is made for it. */
export function describeBackupClient(driver: 'sqlite' | 'lowdb'): void {
  const { name, create } = drivers.find((each) => each.name === driver) ?? expect.fail(`no driver ${driver}`)
  describe(`POST /api/admin/backups with ${name}, when the client disconnects`, function () {
    this.timeout(60_000)

    it('is cancelled without a trace, and the next one is complete', async () => {
      const folder = await temporaryFolder()
      const database = path.join(folder.path, 'data', 'db')
      const backups = path.join(folder.path, 'data', 'system', 'backups')
      await mkdir(backups, { recursive: true })
      const store = await openStore(create(), database)
      const collection = (await store.openFor('tests', [accounts])).collection(accounts)
      const padding = 'x'.repeat(200_000)
      await Promise.all(Array.from({ length: 150 }, (_, number) => collection.insert({ id: `n${number}`, balance: number, padding })))
      await store.close()

      const kernel = await createTestKernel({ folder: folder.path, environment: { SERVICE_DATABASE_DRIVER: name } })
      try {
        const ada = await signUp(kernel.url, 'ada')
        const client = new AbortController()
        const headers = { authorization: `Bearer ${ada.token}` }
        const answer = fetch(`${kernel.url}/api/admin/backups`, { method: 'POST', headers, signal: client.signal })
        const begun = await waitForFolder(backups, async () => (await readdir(backups))[0])
        expect(begun).to.match(/^\..*\.partial-/)
        client.abort()
        expect((await rejection(answer)).name).to.equal('AbortError')
        await waitForFolder(backups, async () => ((await readdir(backups)).length === 0 ? true : undefined))

        const made = await ada.request('POST', '/api/admin/backups')
        expect(made.status).to.equal(201)
        expect(await readdir(backups)).to.deep.equal([path.basename(String(made.body['path']))])
        await restoreInto(String(made.body['path']), path.join(folder.path, 'restored'), name)
      } finally {
        await kernel.stop()
        await folder.remove()
      }
    })
  })
}
