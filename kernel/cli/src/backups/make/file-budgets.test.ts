import { link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { restoreBackup } from '../restore/restore-backup.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { makeBackup } from './make-backup.js'

const { signal } = new AbortController()
const mebibyte = 1_048_576

describe('files that take little room on the disk', () => {
  let service: SmallService
  let file: string
  const place = (path: string): string => join(service.sources.dataFolder, path)

  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
    await service.write('users/zoe/files/large', Buffer.alloc(3 * mebibyte, 2))
  })
  afterEach(() => service.remove())

  const limits = { surplus: 3 * mebibyte, surplusFactor: 1 }

  it('take a bounded part of a backup when they are many names of one file, and the rest is named', async () => {
    await service.write('users/eve/workspaces/agent/large', Buffer.alloc(2 * mebibyte, 1))
    await service.write('users/eve/workspaces/agent/small', Buffer.alloc(100_000, 1))
    for (let number = 0; number < 50; number += 1)
      for (const name of ['large', 'small'])
        await link(place(`users/eve/workspaces/agent/${name}`), place(`users/eve/workspaces/agent/${name}-${number}`))
    const summary = await makeBackup(service.sources, file, { signal, limits })
    // What they occupy, as much again, the surplus, and zoe's.
    expect(summary.bytes).to.be.below(11 * mebibyte)
    expect(summary.tooSparse).to.be.above(40)
    expect(summary.files).to.equal(103 - summary.tooSparse)
    for (const { user, reason } of summary.noted) expect([user, reason]).to.deep.equal(['eve', 'too_sparse'])
    await restoreBackup(file, service.places)
    expect((await stat(join(service.places.dataFolder, 'users/zoe/files/large'))).size).to.equal(3 * mebibyte)
  })

  it('are all there within the bound', async () => {
    await service.write('users/eve/files/large', Buffer.alloc(2 * mebibyte, 1))
    for (const number of [1, 2]) await link(place('users/eve/files/large'), place(`users/eve/files/large-${number}`))
    expect(await makeBackup(service.sources, file, { signal, limits })).to.include({ files: 4, tooSparse: 0 })
  })

  it('do not keep a file out that takes on the disk what it takes in the backup', async () => {
    await service.write('users/eve/files/large', Buffer.alloc(2 * mebibyte, 1))
    for (let number = 0; number < 20; number += 1) await link(place('users/eve/files/large'), place(`users/eve/files/large-${number}`))
    await service.write('users/eve/files/zz-other', Buffer.alloc(2 * mebibyte, 3))
    const { noted } = await makeBackup(service.sources, file, { signal, limits: { surplus: 0, surplusFactor: 0 } })
    expect(noted).to.have.length(20)
    expect(noted.map(({ path }) => path)).not.to.include('files/zz-other')
  })
})
