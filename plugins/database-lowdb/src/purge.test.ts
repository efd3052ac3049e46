import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { CollectionLayout, CommitBatch } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { createLowdbDriver } from './lowdb-driver.js'

const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }
const signal = new AbortController().signal
const notes: CollectionLayout = { name: 'notes', version: 1, indexes: [] }
const put = (text: string): CommitBatch => ({
  checks: [],
  writes: [{ kind: 'put', collection: notes.name, id: 'a', body: JSON.stringify({ id: 'a', text }), keys: [] }],
})

describe('a purge of files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lowdb-purge-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const contents = async (): Promise<string> => {
    const names = await readdir(folder)
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
  }

  it('removes the file of a failed write that could not be undone', async () => {
    const broken = { sync: false, unlink: false }
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      async openForWriting(path) {
        const file = await nodeFileSystem.openForWriting(path)
        const sync = async (): Promise<void> => {
          if (broken.sync) throw Object.assign(new Error('an error of the disk'), { code: 'EIO' })
          await file.sync()
        }
        return { ...file, sync }
      },
      async unlink(path) {
        if (broken.unlink) throw Object.assign(new Error('an error of the disk'), { code: 'EIO' })
        await nodeFileSystem.unlink(path)
      },
    }
    const connection = await createLowdbDriver({ fileSystem }).open({ path: folder, settings: {}, log, signal })
    await connection.ensureCollection(notes, () => [])
    await connection.commit(put('first'))
    broken.sync = true
    broken.unlink = true
    const failed = await connection.commit(put('privatetext')).catch((error: unknown) => error)
    expect(failed).to.be.an('error')
    expect(await contents()).to.include('privatetext')
    const refused = await connection.purge({ signal }).catch((error: unknown) => error)
    expect(refused, 'it must not report a removed file that remains').to.be.an('error')
    broken.sync = false
    broken.unlink = false
    await connection.purge({ signal })
    expect(await contents()).not.to.include('privatetext')
    expect(await contents()).to.include('first')
    await connection.close()
  })
})
