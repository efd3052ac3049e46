import assert from 'node:assert/strict'
import type { DatabaseConnection, IndexPosition } from '../../../contracts/database-driver/index.js'
import { bytes, commitWrites, noKeys, notes, put, remove } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

const rank = (number: number): string => String(number).padStart(4, '0')

/** Pages from first to last, with a change of the data between each two. */
async function readWithChanges(
  connection: DatabaseConnection,
  order: 'ascending' | 'descending',
  change: (page: number, last: string) => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = []
  let after: IndexPosition | undefined
  for (let page = 0; ; page += 1) {
    const { records, more } = await connection.range({
      collection: notes.name,
      index: 'by_rank',
      order,
      limit: 10,
      maximumBytes: 1 << 20,
      ...(after ? { after } : {}),
    })
    ids.push(...records.map((record) => record.id))
    const last = records.at(-1)
    if (!more || !last) return ids
    assert.ok(page < 100, 'the pages never end')
    after = { key: last.key, id: last.id }
    await change(page, last.id)
  }
}

/** Pages that go on while data changes. */
export function describeCursors({ runner, storeTest }: SuiteTopic): void {
  runner.describe('cursors', () => {
    for (const order of ['ascending', 'descending'] as const) {
      storeTest(`continue after a position that no longer exists, ${order}`, async ({ connection }) => {
        await connection.ensureCollection(notes, noKeys)
        const all = Array.from({ length: 40 }, (_, number) => `d${rank(number)}`)
        await commitWrites(connection, ...all.map((id) => put(id, { rank: id })))
        const seen = await readWithChanges(connection, order, (_, last) => commitWrites(connection, remove(last)))
        assert.deepEqual(seen, order === 'ascending' ? all : all.toReversed())
      })

      storeTest(`return nothing twice and lose nothing that stays, ${order}`, async ({ connection }) => {
        await connection.ensureCollection(notes, noKeys)
        const all = Array.from({ length: 60 }, (_, number) => `d${rank(number * 10)}`)
        await commitWrites(connection, ...all.map((id) => put(id, { rank: id })))
        const deleted = new Set<string>()
        const seen = await readWithChanges(connection, order, async (page, last) => {
          const number = Number(last.slice(1))
          const passed = order === 'ascending' ? number - 5 : number + 5
          const ahead = order === 'ascending' ? number + 55 : number - 55
          const victim = `d${rank(order === 'ascending' ? number + 30 : number - 30)}`
          deleted.add(victim)
          await commitWrites(
            connection,
            put(`behind${page}`, { rank: `d${rank(passed)}` }),
            put(`ahead${page}`, { rank: `d${rank(Math.max(0, ahead))}` }),
            remove(victim),
          )
        })
        assert.equal(new Set(seen).size, seen.length, 'a document came twice')
        for (const id of all) if (!deleted.has(id)) assert.ok(seen.includes(id), `${id} stayed and was left out`)
        for (const id of seen) assert.ok(!deleted.has(id), `${id} was deleted before its page`)
        assert.ok(!seen.some((id) => id.startsWith('behind')), 'a document came up behind the position')
      })

      storeTest(`split equal keys between pages, ${order}`, async ({ connection }) => {
        await connection.ensureCollection(notes, noKeys)
        const all = Array.from({ length: 35 }, (_, number) => `d${rank(number)}`)
        await commitWrites(connection, ...all.map((id) => put(id, { rank: 'same' })))
        const seen = await readWithChanges(connection, order, async () => undefined)
        assert.deepEqual(seen, order === 'ascending' ? all : all.toReversed())
      })
    }

    storeTest('combine with bounds', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, ...['a', 'b', 'c', 'd', 'e'].map((id) => put(id, { rank: id })))
      const common = { collection: notes.name, index: 'by_rank', limit: 10, maximumBytes: 1 << 20, lower: bytes('b'), upper: bytes('e') }
      const up = await connection.range({ ...common, order: 'ascending', after: { key: bytes('b'), id: 'b' } })
      assert.deepEqual(
        up.records.map((record) => record.id),
        ['c', 'd'],
      )
      const below = await connection.range({ ...common, order: 'ascending', after: { key: bytes('a'), id: 'a' } })
      assert.deepEqual(
        below.records.map((record) => record.id),
        ['b', 'c', 'd'],
        'a position before the lower bound does not widen the range',
      )
      const down = await connection.range({ ...common, order: 'descending', after: { key: bytes('d'), id: 'd' } })
      assert.deepEqual(
        down.records.map((record) => record.id),
        ['c', 'b'],
      )
    })

    storeTest('continue by id if the key of the position is still in use', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('m', { code: 'taken' }))
      const from = (id: string) =>
        connection.range({
          collection: notes.name,
          index: 'by_code',
          order: 'ascending',
          limit: 10,
          maximumBytes: 1 << 20,
          after: { key: bytes('taken'), id },
        })
      assert.equal((await from('a')).records.length, 1)
      assert.equal((await from('m')).records.length, 0)
      assert.equal((await from('z')).records.length, 0)
    })
  })
}
