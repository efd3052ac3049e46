import { readFileSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { CollectionLayout, CommitWrite, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { applicationId, schemaVersion } from './schema.js'
import { freeRoomOf } from './scrub-pages.js'
import SqliteDatabase from './sqlite-library.js'
import { storeFileIn } from './store-file.js'
import { openStore, rejectionOf, withFolder } from './test-store.test.js'

const never = new AbortController().signal
const marker = 'PurgedMarker'
const layout: CollectionLayout = {
  name: 'test.purged',
  version: 1,
  indexes: [
    { name: 'by_rank', fields: ['rank'], unique: false },
    { name: 'by_code', fields: ['code'], unique: true },
  ],
}
const noKeys = () => [null, null]

const put = (id: string, text: string, rank = text.slice(0, 40)): CommitWrite => ({
  ...{ kind: 'put', collection: layout.name, id, body: JSON.stringify({ id, text }) },
  keys: [Buffer.from(rank), Buffer.from(`${rank} ${id}`)],
})

/**
 * Numbers that look random and are the same in each run: whether pages keep something depends on
 * every length.
 */
const numbers = (): ((below: number) => number) => {
  let state = 20_261_123
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

const markersIn = (path: string): number => {
  const content = readFileSync(storeFileIn(path))
  let count = 0
  for (let at = content.indexOf(marker); at >= 0; at = content.indexOf(marker, at + 1)) count += 1
  return count
}

/** A quarter of the documents has the marker in all that it consists of, and is deleted. */
const fillAndDelete = async (connection: DatabaseConnection, rounds: number, prefix = ''): Promise<void> => {
  const below = numbers()
  const deleted: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const writes = Array.from({ length: 20 }, (_, position) => {
      const word = position % 4 === 0 ? marker : 'kept'
      const id = `${prefix}${below(2 ** 24).toString(16)}-${round * 20 + position}-${word}`
      if (word === marker) deleted.push(id)
      return put(id, `${word} ${'x'.repeat(below(round % 10 === 0 ? 12_000 : 700))}`, `${word}${below(1000)}`)
    })
    await connection.commit({ checks: [], writes })
  }
  for (let at = 0; at < deleted.length; at += 7) {
    const ids = deleted.slice(at, at + 7)
    await connection.commit({ checks: [], writes: ids.map((id) => ({ kind: 'delete', collection: layout.name, id })) })
  }
}

describe('a purge', function () {
  this.timeout(60_000)

  it(
    'writes zeros over free room of rebuilt pages, which secure_delete does not reach, and keeps the file valid',
    withFolder(async (path) => {
      const connection = await openStore(path)
      await connection.ensureCollection(layout, noKeys)
      await fillAndDelete(connection, 200)
      const outside = new SqliteDatabase(storeFileIn(path), { timeout: 5000 })
      outside.pragma('wal_checkpoint(TRUNCATE)')
      expect(markersIn(path), 'in the free room of rebuilt pages').to.be.greaterThan(0)
      await connection.purge({ signal: never })
      expect(markersIn(path)).to.equal(0)
      expect(statSync(`${storeFileIn(path)}-wal`).size).to.equal(0)
      expect(outside.pragma('integrity_check', { simple: true })).to.equal('ok')
      outside.close()
      // Pages that change afterwards are not written from a cache that still has them as they were.
      await fillAndDelete(connection, 40, 'again')
      await connection.purge({ signal: never })
      expect(markersIn(path)).to.equal(0)
      expect(await connection.count(layout.name)).to.equal(240 * 15)
      await connection.close()
    }),
  )

  it(
    'removes data that an older version deleted, once',
    withFolder(async (path) => {
      const first = await openStore(path)
      await first.ensureCollection(layout, noKeys)
      await fillAndDelete(first, 10)
      await first.close()
      const older = new SqliteDatabase(storeFileIn(path))
      older.exec('DROP TABLE purged')
      older.pragma('secure_delete = OFF')
      for (let number = 0; number < 300; number += 1) {
        const id = `old${number}`
        older
          .prepare('INSERT INTO documents_1 (id, revision, body) VALUES (?, 1, ?)')
          .run(id, JSON.stringify({ id, text: marker.repeat(600) }))
      }
      older.exec("DELETE FROM documents_1 WHERE id LIKE 'old%'")
      older.pragma('wal_checkpoint(TRUNCATE)')
      expect([older.pragma('application_id', { simple: true }), older.pragma('user_version', { simple: true })]).to.deep.equal([
        applicationId,
        schemaVersion,
      ])
      older.close()
      expect(markersIn(path)).to.be.greaterThan(0)
      const connection = await openStore(path)
      await connection.purge({ signal: never })
      expect(markersIn(path)).to.equal(0)
      expect(await connection.count(layout.name)).to.equal(150)
      await connection.close()
    }),
  )

  it(
    'waits for readers of an older snapshot, allows commits meanwhile, and ends with its signal',
    withFolder(async (path) => {
      const connection = await openStore(path)
      await connection.ensureCollection(layout, noKeys)
      await connection.commit({ checks: [], writes: [put('a', marker)] })
      const reader = new SqliteDatabase(storeFileIn(path), { readonly: true })
      reader.exec('BEGIN')
      reader.prepare('SELECT revision FROM store').get()
      await connection.commit({ checks: [], writes: [{ kind: 'delete', collection: layout.name, id: 'a' }] })
      const controller = new AbortController()
      const given = rejectionOf(connection.purge({ signal: controller.signal }))
      await connection.commit({ checks: [], writes: [put('b', 'kept')] })
      const reason = new Error('enough')
      controller.abort(reason)
      expect(await given).to.equal(reason)
      const purging = connection.purge({ signal: never })
      await connection.commit({ checks: [], writes: [put('c', 'kept')] })
      reader.exec('COMMIT')
      await purging
      reader.close()
      expect(markersIn(path)).to.equal(0)
      await connection.close()
      expect(await rejectionOf(connection.purge({ signal: never }))).to.have.property('code', 'database_closed')
    }),
  )

  it(
    'ends when the store is closed meanwhile',
    withFolder(async (path) => {
      const connection = await openStore(path)
      await connection.ensureCollection(layout, noKeys)
      await fillAndDelete(connection, 20)
      const purging = connection.purge({ signal: never }).catch((error: unknown) => error)
      await connection.close()
      const outcome = await purging
      if (outcome !== undefined) expect(outcome).to.have.property('code', 'database_closed')
    }),
  )

  it('does not change a page that is not part of a tree', () => {
    const page = Buffer.alloc(4096)
    const leaf = (change: (copy: Buffer) => void): number => {
      const copy = Buffer.from(page)
      copy[0] = 13
      copy.writeUInt16BE(1, 3)
      copy.writeUInt16BE(4000, 5)
      copy.writeUInt16BE(4000, 8)
      change(copy)
      return freeRoomOf(copy, 0).length
    }
    expect(leaf(() => undefined)).to.equal(1)
    expect(freeRoomOf(page, 0)).to.deep.equal([])
    expect(leaf((copy) => (copy[0] = 7))).to.equal(0)
    expect(leaf((copy) => copy.writeUInt16BE(3999, 8))).to.equal(0)
    expect(leaf((copy) => copy.writeUInt16BE(4096, 8))).to.equal(0)
    expect(leaf((copy) => copy.writeUInt16BE(5000, 5))).to.equal(0)
    expect(leaf((copy) => copy.writeUInt16BE(3000, 3))).to.equal(0)
    expect(leaf((copy) => copy.writeUInt16BE(3990, 1))).to.equal(0)
    expect(
      leaf((copy) => {
        copy.writeUInt16BE(4050, 1)
        copy.writeUInt16BE(20, 4052)
      }),
    ).to.equal(2)
  })
})

describe('a backup of a store', () => {
  it(
    'is readable only by its owner, with any umask',
    withFolder(async (path) => {
      const before = process.umask(0)
      try {
        const connection = await openStore(path)
        const { backup } = connection
        const folder = await mkdtemp(join(path, 'copy-'))
        await backup?.call(connection, folder, { signal: never, progress: () => undefined })
        expect(statSync(storeFileIn(folder)).mode & 0o777).to.equal(0o600)
        for (const suffix of ['', '-wal', '-shm']) expect(statSync(`${storeFileIn(path)}${suffix}`).mode & 0o777, suffix).to.equal(0o600)
        await connection.close()
      } finally {
        process.umask(before)
      }
    }),
  )
})
