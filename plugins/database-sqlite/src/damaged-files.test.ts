import { chmod, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { databaseCorruptError, databaseForbiddenError, databaseNewerError } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import SqliteDatabase from './sqlite-library.js'
import { storeFileIn } from './store-file.js'
import { notes, openStore, put, rejectionOf, withFolder } from './test-store.test.js'

async function fill(path: string): Promise<void> {
  const connection = await openStore(path)
  await connection.ensureCollection(notes, () => [null])
  for (let number = 0; number < 20; number += 1) await connection.commit(put(`d${number}`, 'x'.repeat(2000)))
  await connection.close()
}

describe('a file that cannot be opened', () => {
  const corrupt = (title: string, damage: (file: string) => Promise<void>) =>
    it(
      `is corrupt: ${title}`,
      withFolder(async (path) => {
        await fill(path)
        await damage(storeFileIn(path))
        const before = await readFile(storeFileIn(path))
        const error = await rejectionOf(openStore(path))
        expect(databaseCorruptError.isInstance(error), String(error)).to.equal(true)
        expect(String(error)).to.include(storeFileIn(path))
        expect((await readFile(storeFileIn(path))).equals(before), 'the file was changed').to.equal(true)
      }),
    )
  corrupt('not a database', (file) => writeFile(file, 'plain text, long enough to be read as a header of a hundred bytes. '.repeat(10)))
  corrupt('empty', (file) => truncate(file, 0))
  corrupt('cut in the middle', (file) => truncate(file, 3 * 4096))
  corrupt('of another program', async (file) => {
    const database = new SqliteDatabase(file)
    database.pragma('application_id = 7')
    database.close()
  })

  it(
    'is newer: the error has both versions',
    withFolder(async (path) => {
      await fill(path)
      const database = new SqliteDatabase(storeFileIn(path))
      database.pragma('user_version = 99')
      database.close()
      const error = await rejectionOf(openStore(path))
      expect(databaseNewerError.isInstance(error), String(error)).to.equal(true)
      expect(String(error)).to.match(/version 99.*up to 1/)
    }),
  )

  it(
    'is forbidden: the file belongs to another user',
    withFolder(async (path) => {
      await fill(path)
      await chmod(path, 0o700)
      const nobody = 65534
      const root = process.geteuid?.() === 0
      if (root) process.seteuid?.(nobody)
      else await chmod(storeFileIn(path), 0)
      try {
        const error = await rejectionOf(openStore(path))
        expect(databaseForbiddenError.isInstance(error), String(error)).to.equal(true)
      } finally {
        if (root) process.seteuid?.(0)
      }
    }),
  )

  it(
    'leaves no file and no thread after an aborted start',
    withFolder(async (path) => {
      await writeFile(storeFileIn(path), '')
      await rejectionOf(openStore(path))
      expect(await readdir(path)).to.deep.equal(['store.sqlite'])
    }),
  )
})
