import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'
import {
  type CollectionLayout,
  type CommitBatch,
  type DatabaseConnection,
  databaseCorruptError,
  databaseForbiddenError,
  databaseNewerError,
  storageFullError,
} from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { createLowdbDriver } from './lowdb-driver.js'

const warnings: string[] = []
const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => void warnings.push(message),
  error: () => undefined,
  child: () => log,
}
const notes: CollectionLayout = { name: 'test.notes', version: 1, indexes: [{ name: 'by_rank', fields: ['rank'], unique: false }] }
const put = (...ids: readonly string[]): CommitBatch => ({
  checks: [],
  writes: ids.map((id) => ({
    kind: 'put',
    collection: notes.name,
    id,
    body: JSON.stringify({ id, list: [1, { deep: true }] }),
    keys: [Buffer.from('r')],
  })),
})
const open = (path: string, fileSystem: FileSystem = nodeFileSystem): Promise<DatabaseConnection> =>
  createLowdbDriver({ fileSystem }).open({ path, settings: {}, log, signal: new AbortController().signal })

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Expected a rejection.')
}

const withStore = (test: (path: string) => Promise<void>) => async (): Promise<void> => {
  const path = await mkdtemp(join(tmpdir(), 'lowdb-test-'))
  try {
    const connection = await open(path)
    await connection.ensureCollection(notes, () => [null])
    await connection.commit(put('b', 'a'))
    await connection.close()
    await test(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

describe('the files of the lowdb driver', () => {
  it(
    'are readable: nested JSON, one file a collection, documents by id',
    withStore(async (path) => {
      const text = await readFile(join(path, 'test.notes.json'), 'utf8')
      const file = JSON.parse(text) as { readonly documents: readonly { readonly id: string; readonly document: unknown }[] }
      expect(file.documents.map(({ id }) => id)).to.deep.equal(['a', 'b'])
      expect(file.documents[0]?.document).to.deep.equal({ id: 'a', list: [1, { deep: true }] })
      expect(text).to.equal(`${JSON.stringify(file, null, 2)}\n`)
    }),
  )

  for (const [title, text] of [
    ['not JSON', '{"format": 1,'],
    ['of another shape', '{"format": 1, "revision": 3}'],
  ] as const) {
    it(
      `are corrupt when ${title}, and the error has the file name`,
      withStore(async (path) => {
        await writeFile(join(path, 'test.notes.json'), text)
        const error = await rejectionOf(open(path))
        expect(databaseCorruptError.isInstance(error), String(error)).to.equal(true)
        expect(String(error)).to.include('test.notes.json')
      }),
    )
  }

  it(
    "are corrupt when the store's own file is missing",
    withStore(async (path) => {
      await rm(join(path, '_store.json'))
      const error = await rejectionOf(open(path))
      expect(databaseCorruptError.isInstance(error), String(error)).to.equal(true)
      expect(String(error)).to.include('_store.json')
    }),
  )

  it(
    'are newer by their format',
    withStore(async (path) => {
      await writeFile(join(path, '_store.json'), '{"format": 2}')
      expect(databaseNewerError.isInstance(await rejectionOf(open(path)))).to.equal(true)
    }),
  )

  it(
    'are forbidden when the folder is',
    withStore(async (path) => {
      const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' })
      const error = await rejectionOf(open(path, { ...nodeFileSystem, checkFolder: () => Promise.reject(denied) }))
      expect(databaseForbiddenError.isInstance(error)).to.equal(true)
    }),
  )

  it(
    'report a full disk as storage_full, allow reads, and recover once there is room',
    withStore(async (path) => {
      let full = false
      const fileSystem: FileSystem = {
        ...nodeFileSystem,
        async openForWriting(name) {
          const file = await nodeFileSystem.openForWriting(name)
          return {
            ...file,
            write: (text) => (full ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })) : file.write(text)),
          }
        },
      }
      const connection = await open(path, fileSystem)
      full = true
      const error = await rejectionOf(connection.commit(put('c')))
      expect(storageFullError.isInstance(error), String(error)).to.equal(true)
      expect(connection.health()).to.include({ writable: false, code: 'storage_full' })
      expect((await connection.read(notes.name, ['a', 'c'])).map((record) => record?.id)).to.deep.equal(['a', undefined])
      full = false
      expect((await connection.commit(put('c'))).outcome).to.equal('committed')
      expect(connection.health()).to.deep.equal({ writable: true })
      await connection.close()
    }),
  )

  it(
    'warn once when a collection outgrows the driver, and continue',
    withStore(async (path) => {
      warnings.length = 0
      const connection = await open(path)
      await connection.commit(put(...Array.from({ length: 1001 }, (_, number) => `n${number}`)))
      await connection.commit(put('one-more'))
      expect(warnings).to.have.length(1)
      expect(await connection.count(notes.name)).to.equal(1004)
      await connection.close()
    }),
  )
})
