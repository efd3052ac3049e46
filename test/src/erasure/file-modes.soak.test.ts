import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { bearer, createClient } from '../security/support/clients.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { temporaryFolder } from './support/temporary-folder.js'

/**
 * Every file and folder below one that others than its owner may do something with; links are what
 * they are.
 */
async function openToOthers(folder: string): Promise<readonly string[]> {
  const open: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const found = path.join(entry.parentPath, entry.name)
    const { mode } = await stat(found)
    if ((mode & 0o077) !== 0) open.push(`${path.relative(folder, found)} ${(mode & 0o777).toString(8)}`)
  }
  return open
}

for (const driver of ['sqlite', 'lowdb'] as const) {
  describe(`the files of a service with ${driver}`, function () {
    this.timeout(60_000)
    let folder: string
    let service: ServiceProcess | undefined

    beforeEach(async () => {
      folder = await temporaryFolder('agent-service-modes-')
    })
    afterEach(async () => {
      service?.child.kill('SIGKILL')
      await removeFolder(folder)
    })

    const startUnder = async (umask: number): Promise<ServiceProcess> => {
      const before = process.umask(umask)
      try {
        service = await startServiceProcess({ folder, environment: { SERVICE_DATABASE_DRIVER: driver } })
        return service
      } finally {
        process.umask(before)
      }
    }

    /** Things that make files of every kind; all are there while the service runs. */
    const use = async ({ url }: ServiceProcess): Promise<void> => {
      const client = createClient(url)
      const { accessToken } = await client.signUp('ada')
      const headers = bearer(accessToken)
      await client.send('POST', '/api/chats', { headers, body: { title: 'one' } })
      const put = { headers: { ...headers, 'content-type': 'text/plain' }, body: 'text' }
      expect((await client.send('PUT', '/api/files/content?path=files/deep/note.txt', put)).status).to.be.within(200, 204)
      expect((await client.send('POST', '/api/admin/backups', { headers })).status).to.equal(201)
      await client.send('GET', '/api/chats/search?q=one', { headers })
    }

    for (const umask of [0o000, 0o022]) {
      it(`are the service's alone, under umask ${umask.toString(8).padStart(3, '0')}`, async () => {
        const running = await startUnder(umask)
        await use(running)
        const names = await readdir(path.join(folder, 'data', 'db'))
        expect(names).to.include.members(driver === 'sqlite' ? ['store.sqlite', 'store.sqlite-wal', 'store.sqlite-shm', 'lock'] : ['lock'])
        expect(await openToOthers(path.join(folder, 'data'))).to.deep.equal([])
      })
    }

    it("become the service's alone when they were open to others, and targets of links stay unchanged", async () => {
      const first = await startUnder(0o022)
      await use(first)
      await first.kill()
      const data = path.join(folder, 'data')
      for (const entry of await readdir(data, { recursive: true, withFileTypes: true }))
        await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o777 : 0o666)
      await chmod(data, 0o777)
      const foreign = path.join(folder, 'foreign')
      await mkdir(foreign)
      await writeFile(path.join(foreign, 'file'), '')
      await chmod(foreign, 0o755)
      await chmod(path.join(foreign, 'file'), 0o644)
      await symlink(path.join(foreign, 'file'), path.join(data, 'db', 'foreign.link'))
      await symlink(foreign, path.join(data, 'system', 'foreign'))
      await symlink(foreign, path.join(data, 'users', 'foreign'))

      await startUnder(0o022)
      const open = await openToOthers(data)
      // What people keep in their folders has the modes that they, or their programs, gave it; the
      // folder around it is closed.
      expect(open.filter((name) => !name.startsWith('users/ada/'))).to.deep.equal([])
      expect((await stat(data)).mode & 0o777).to.equal(0o700)
      expect((await stat(foreign)).mode & 0o777).to.equal(0o755)
      expect((await stat(path.join(foreign, 'file'))).mode & 0o777).to.equal(0o644)
    })
  })
}
