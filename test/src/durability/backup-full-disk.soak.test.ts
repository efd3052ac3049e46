import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { diskKinds } from '../support/small-disk.js'

const scratch = await mkdtemp(path.join(tmpdir(), 'agent-service-disks-'))
const disks = await diskKinds(scratch).finally(() => rm(scratch, { recursive: true }))

type Json = Record<string, unknown>

const backUp = (admin: Api) => admin.request('POST', '/api/admin/backups')
const lastRun = async (admin: Api): Promise<Json> => (await admin.request('GET', '/api/admin/backups/status')).body['last_run'] as Json
const failures = async (admin: Api): Promise<number> =>
  ((await admin.request('GET', '/api/notifications')).body['items'] as Json[]).filter(({ kind }) => kind === 'backup.failed').length

/** Asks until it is so. */
const becomes = (what: string, isSo: () => Promise<boolean>) => eventually(isSo, { what })

for (const kind of disks) {
  describe(`a backup onto a full disk (${kind.name})`, function () {
    this.timeout(60_000)

    it('leaves nothing behind and says so, and the next one works', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-full-backup-'))
      const disk = await kind.create(path.join(folder, 'backups'))
      await mkdir(path.join(folder, 'data'))
      await writeFile(
        path.join(folder, 'data', 'config.yaml'),
        `plugins:\n  settings:\n    feature-backup:\n      folder: ${JSON.stringify(disk.path)}\n`,
      )
      const service = await startServiceProcess({ folder })
      const left = async () => (await readdir(disk.path)).filter((name) => name !== 'ballast')
      try {
        const admin = await signUp(service.url, 'ada')
        await disk.fill(service.child.pid)
        const refused = await backUp(admin)
        expect(refused.status, JSON.stringify(refused.body)).to.equal(507)
        expect(await left()).to.deep.equal([])
        expect(await lastRun(admin)).to.include({ state: 'failed' })
        expect(service.log.filter((line) => line.includes('A backup failed.'))).to.have.length(1)

        await disk.free(service.child.pid)
        await becomes('ready', async () => (await fetch(`${service.url}/readyz`)).status === 200)
        const made = await backUp(admin)
        expect(made.status, JSON.stringify(made.body)).to.equal(201)
        expect(made.body['verification']).to.include({ sound: true })
        expect(await left()).to.have.length(1)
        expect(await lastRun(admin)).to.include({ state: 'succeeded' })
        await becomes('told', async () => (await failures(admin)) === 1)
      } finally {
        await service.stop()
        await disk.remove()
        await removeFolder(folder)
      }
    })
  })
}
