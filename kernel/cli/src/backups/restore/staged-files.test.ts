import { mkdir, open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Header } from 'tar'
import { headerBlocks } from '../archive/tar-blocks.js'
import { makeBackup } from '../make/make-backup.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { restoreBackup } from './restore-backup.js'

const { signal } = new AbortController()

describe('the times of what is restored', () => {
  let service: SmallService
  beforeEach(async () => {
    service = await createSmallService()
  })
  afterEach(() => service.remove())

  const before1970 = -86_400_000
  const in2400 = 13_569_465_600_000
  const in1973 = 100_000_000_000

  it('are those of the files and folders that were backed up, also before 1970 and far from now', async () => {
    const file = join(service.folder, 'backup.tar')
    await mkdir(join(service.sources.dataFolder, 'users/ada/files/empty'), { recursive: true })
    await service.write('users/ada/files/deep/er/small', 'x')
    await service.write('users/ada/files/deep/large', Buffer.alloc(400_000, 1))
    const sparse = await open(join(service.sources.dataFolder, 'users/ada/files/deep/sparse'), 'w')
    await sparse.truncate(1_000_000)
    await sparse.close()
    const times = {
      'deep/er/small': before1970,
      ...{ 'deep/large': in2400, 'deep/sparse': before1970, 'deep/er': in1973, deep: before1970, empty: in2400, '': in1973 },
    }
    for (const [path, time] of Object.entries(times))
      await utimes(join(service.sources.dataFolder, 'users/ada/files', path), new Date(time), new Date(time))
    await makeBackup(service.sources, file, { signal })
    await restoreBackup(file, service.places)
    for (const [path, time] of Object.entries(times))
      expect((await stat(join(service.places.dataFolder, 'users/ada/files', path))).mtimeMs, path).to.equal(time)
  })

  it('are the farthest that can be kept where a file system has farther ones', () => {
    const timeOf = (changedAt: number): number | undefined =>
      new Header(headerBlocks({ path: 'users/a', kind: 'file', bytes: 0, mode: 0o600, changedAt }).subarray(-512), 0).mtime?.getTime()
    expect(timeOf(9.3e21)).to.equal(8.64e15)
    expect(timeOf(-9.3e21)).to.equal(-8.64e15)
    expect(timeOf(-1)).to.equal(-1_000)
  })
})
