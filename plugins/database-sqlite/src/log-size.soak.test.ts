import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import SqliteDatabase from './sqlite-library.js'
import { storeFileIn } from './store-file.js'
import { notes, openStore, put, rejectionOf, withFolder } from './test-store.test.js'

const megabyte = 1024 * 1024
const bodySize = 250_000

/** The log is copied from 1,000 pages on, after a group; here a group has four bodies at most. */
const usual = 8 * megabyte
/** A page of 4 KiB and its header. */
const pageInLog = 4096 + 24
/** What the file is cut to when the log starts over. */
const kept = 64 * megabyte

describe('the write-ahead log', function () {
  this.timeout(60_000)

  const sizeIn = (path: string): number => statSync(`${storeFileIn(path)}-wal`).size

  /**
   * Writes, four callers at a time, over the same documents again and again. Random, since SQLite
   * leaves a page alone that stays as it was.
   */
  const write = async (connection: DatabaseConnection, path: string, megabytes: number): Promise<{ readonly largest: number }> => {
    let left = Math.ceil((megabytes * megabyte) / bodySize)
    let largest = 0
    const caller = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await connection.commit(put(`k${left % 20}`, randomBytes(bodySize / 2).toString('hex')))
        largest = Math.max(largest, sizeIn(path))
      }
    }
    await Promise.all([caller(), caller(), caller(), caller()])
    return { largest }
  }

  const withStore = (test: (connection: DatabaseConnection, path: string) => Promise<void>) =>
    withFolder(async (path) => {
      const connection = await openStore(path)
      try {
        await connection.ensureCollection(notes, () => [null])
        await test(connection, path)
      } finally {
        await connection.close()
      }
    })

  /** Which log it is: the numbers in its header that change when it starts over. See “WAL File Format” of SQLite. */
  const logIn = async (path: string): Promise<string> => {
    const file = await open(`${storeFileIn(path)}-wal`)
    try {
      const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 16)
      return buffer.toString('hex')
    } finally {
      await file.close()
    }
  }

  /**
   * Reads of a few milliseconds, each begun before the one before it has ended, until the result is
   * called.
   */
  const readWithoutGap = (path: string): (() => Promise<number>) => {
    const readers = [1, 2].map(() => new SqliteDatabase(storeFileIn(path), { readonly: true }))
    let reading = true
    const look = async (): Promise<number> => {
      let looks = 0
      for (; reading; looks += 1) {
        const reader = readers[looks % 2]
        reader?.exec('BEGIN')
        reader?.prepare('SELECT revision FROM store').get()
        const before = readers[(looks + 1) % 2]
        if (before?.inTransaction) before.exec('COMMIT')
        await delay(4)
      }
      for (const reader of readers) reader.close()
      return looks
    }
    const done = look()
    return () => {
      reading = false
      return done
    }
  }

  it(
    'stays small under steady writes',
    withStore(async (connection, path) => {
      expect((await write(connection, path, 30)).largest).to.be.lessThan(usual)
    }),
  )

  it(
    'grows only by the pages of the document if a write does not change its keys',
    withFolder(async (path) => {
      const names = ['by_a', 'by_b', 'by_c', 'by_d', 'by_e', 'by_f']
      const layout = { ...notes, indexes: names.map((name) => ({ name, fields: [name], unique: false })) }
      const keyed = (id: number, text: string) => ({
        ...{ kind: 'put' as const, collection: notes.name, id: String(id), body: JSON.stringify({ id: String(id), text }) },
        keys: names.map((_, position) => Buffer.from(String((id * (position + 7)) % 1_009).padStart(100, '0'))),
      })
      const connection = await openStore(path)
      try {
        await connection.ensureCollection(layout, () => names.map(() => null))
        await connection.commit({ checks: [], writes: Array.from({ length: 500 }, (_, id) => keyed(id, 'first')) })
        const before = sizeIn(path)
        for (let id = 0; id < 20; id += 1) await connection.commit({ checks: [], writes: [keyed(id * 25, 'second')] })
        expect((sizeIn(path) - before) / pageInLog / 20, 'pages of a write').to.be.within(1, 3)
      } finally {
        await connection.close()
      }
    }),
  )

  it(
    'starts over under continuous reads',
    withStore(async (connection, path) => {
      await write(connection, path, 1)
      const first = await logIn(path)
      const end = readWithoutGap(path)
      // Readers are waited for from 4,000 pages on, and again after as many; on a busy machine often in vain.
      let written = 0
      while (written < 400 && (await logIn(path)) === first) {
        await write(connection, path, 10)
        written += 10
      }
      expect(await end(), 'reads').to.be.greaterThan(1)
      expect(await logIn(path), `after ${written} MB`).not.to.equal(first)
    }),
  )

  it(
    'grows only by the written data while a reader holds a snapshot, and starts over afterwards',
    withStore(async (connection, path) => {
      await write(connection, path, 5)
      const reader = new SqliteDatabase(storeFileIn(path), { readonly: true })
      try {
        reader.exec('BEGIN')
        const moment = reader.prepare('SELECT revision FROM store').pluck()
        const before = moment.get()
        const { largest } = await write(connection, path, 80)
        expect(largest).to.be.within(kept + megabyte, 1.2 * 85 * megabyte)
        expect(moment.get(), 'the reader held its moment').to.equal(before)
        reader.exec('COMMIT')
        await write(connection, path, 1)
        await write(connection, path, 1)
        expect(sizeIn(path)).to.be.at.most(kept)
        expect((await write(connection, path, 80)).largest, 'it starts over again and again').to.be.at.most(kept)
      } finally {
        reader.close()
      }
    }),
  )

  it(
    'is released by an aborted backup',
    withStore(async (connection, path) => {
      await write(connection, path, 5)
      const folder = join(path, 'copy')
      await mkdir(folder)
      const abort = new AbortController()
      const reason = new Error('cancelled')
      const copying = connection.backup?.(folder, { signal: abort.signal, progress: () => abort.abort(reason) })
      expect(await rejectionOf(copying ?? Promise.resolve())).to.equal(reason)
      expect((await write(connection, path, 40)).largest).to.be.lessThan(2 * usual)
    }),
  )
})
