import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { partialBackupOf, removePartialBackups, removeRestoreLeftovers, replacedOf, restoringOf } from './leftovers.js'

describe('leftovers of a killed process', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'agent-service-leftovers-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const make = async (folder: string): Promise<void> => {
    await mkdir(folder)
    await writeFile(join(folder, 'store'), 'secret')
  }

  it('are removed from a folder of backups, and the backups stay', async () => {
    await make(join(root, '2026-11-23'))
    await make(partialBackupOf(join(root, '2026-11-24'), randomUUID()))
    await make(join(root, '.mine.partial-folder'))
    await removePartialBackups(root)
    expect((await readdir(root)).sort()).to.deep.equal(['.mine.partial-folder', '2026-11-23'])
    await removePartialBackups(join(root, 'missing'))
  })

  it('are removed beside the database that was being restored, and beside no other', async () => {
    await make(join(root, 'db'))
    await make(restoringOf(join(root, 'db'), randomUUID()))
    await make(replacedOf(join(root, 'db'), randomUUID()))
    const other = restoringOf(join(root, 'db2'), randomUUID())
    await make(other)
    await removeRestoreLeftovers(join(root, 'db'))
    expect((await readdir(root)).sort()).to.deep.equal([other.slice(root.length + 1), 'db'].sort())
  })
})
