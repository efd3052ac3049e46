import assert from 'node:assert/strict'
import { assertMembers } from '../../settle-within.js'
import { batchOf, bytes, commitWrites, idsByScan, labels, noKeys, notes, put, readOne, remove, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { fillTexts, putText, searchPage, termsOf } from '../support/suite-texts.js'

/**
 * Ids that drivers get wrong: a NUL, characters beyond the basic plane, combining marks that must
 * not be normalised, the longest allowed.
 */
export const strangeIds: readonly string[] = [
  'a\u0000b',
  'a',
  'a\u0000',
  'A',
  '😀',
  '\ufffd',
  'é',
  'e\u0301',
  '%_',
  'quote\'"`',
  '../up',
  'x'.repeat(200),
  '😀'.repeat(50),
]

/** Reads and writes of single documents, and their limits. */
export function describeDocuments({ runner, storeTest }: SuiteTopic): void {
  runner.describe('documents', () => {
    storeTest('reads in the order asked for, with gaps and repetitions', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a'), put('b'), put('c'))
      const records = await connection.read(notes.name, ['c', 'missing', 'a', 'c'])
      assert.deepEqual(
        records.map((record) => record?.id),
        ['c', undefined, 'a', 'c'],
      )
    })

    storeTest('reads and scans thousands of documents in one call', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const ids = Array.from({ length: 6_000 }, (_, number) => `d${String(number).padStart(5, '0')}`)
      for (let from = 0; from < ids.length; from += 1_500)
        await commitWrites(connection, ...ids.slice(from, from + 1_500).map((id) => put(id)))
      const asked = [...ids].reverse()
      assert.deepEqual(
        (await connection.read(notes.name, asked)).map((record) => record?.id),
        asked,
      )
      const scanned = await connection.scan(notes.name, { limit: ids.length })
      assert.deepEqual(
        scanned.map(({ id }) => id),
        ids,
      )
    })

    storeTest('gives records with nothing else in them, which stay as they were read', async (store) => {
      const { connection } = store
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { rank: 'r', code: 'x', text: 'one' }), put('b', { rank: 'r', text: 'two' }))
      await fillTexts(store, putText('t', 'oak'))
      const records = async (): Promise<readonly (object | undefined)[]> => [
        ...(await connection.read(notes.name, ['a', 'b'])),
        await connection.find(notes.name, 'by_code', bytes('x')),
        ...(await connection.scan(notes.name, { limit: 10 })),
        ...(await connection.range({ collection: notes.name, index: 'by_rank', order: 'ascending', limit: 10, maximumBytes: 1 << 20 }))
          .records,
        ...(await searchPage(connection, { terms: termsOf('oak') })).records,
      ]
      const given = await records()
      const before = JSON.stringify(given)
      assert.equal(given.length, 8)
      for (const record of given) assertMembers(record ?? {}, ['id', 'revision', 'body', 'key', 'position'], 'the record')
      await commitWrites(connection, put('a', { rank: 's', code: 'y', text: 'three' }), remove('b'), putText('t', 'elm'))
      await records()
      assert.equal(JSON.stringify(given), before, 'records have changed with the store')
    })

    storeTest('returns the same JSON value', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const value = {
        id: 'a',
        text: 'line\nbreak \u2028 "quoted" 😀 \u0000',
        number: 1.5e-7,
        large: 9007199254740991,
        none: null,
        list: [[], {}, [1, '2']],
        'odd key': { '': 0 },
      }
      await commitWrites(connection, { kind: 'put', collection: notes.name, id: 'a', body: JSON.stringify(value), keys: [null, null] })
      const record = await readOne(connection, 'a')
      assert.ok(record)
      assert.deepEqual(JSON.parse(record.body), value)
    })

    storeTest('replaces a document and deletes it', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const first = await commitWrites(connection, put('a', { text: 'one' }))
      const second = await commitWrites(connection, put('a', { text: 'two' }))
      const record = await readOne(connection, 'a')
      assert.equal(textOf(record), 'two')
      assert.equal(record?.revision, second)
      assert.ok(second > first, 'the revision grew')
      await commitWrites(connection, remove('a'))
      assert.equal(await readOne(connection, 'a'), undefined)
    })

    storeTest('keeps collections apart', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(labels, () => [null])
      await commitWrites(connection, put('a', { text: 'note' }), {
        kind: 'put',
        collection: labels.name,
        id: 'a',
        body: '{"text":"label"}',
        keys: [null],
      })
      await commitWrites(connection, { kind: 'delete', collection: labels.name, id: 'a' })
      assert.equal(textOf(await readOne(connection, 'a')), 'note')
      assert.deepEqual(await connection.read(labels.name, ['a']), [undefined])
    })

    storeTest('takes any id of 1 to 200 bytes as it is', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, ...strangeIds.map((id) => put(id, { rank: 'same', text: id })))
      const records = await connection.read(notes.name, strangeIds)
      assert.deepEqual(records.map(textOf), strangeIds)
      assert.deepEqual(
        records.map((record) => record?.id),
        strangeIds,
      )
      assert.equal(await connection.count(notes.name), strangeIds.length)
    })

    storeTest('keeps a body of 8 MiB', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const body = `{"id":"large","text":"${'ä'.repeat(4 * 1024 * 1024 - 20)}"}`
      await commitWrites(connection, { kind: 'put', collection: notes.name, id: 'large', body, keys: [bytes('r'), null] })
      const stored = await readOne(connection, 'large')
      // Not assert.equal, which would print both.
      assert.ok(stored?.body === body, `the body changed: it has ${stored?.body.length} characters instead of ${body.length}`)
    })

    storeTest('scans by the bytes of ids, in pages', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, ...strangeIds.map((id) => put(id)))
      const sorted = [...strangeIds].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      assert.deepEqual(await idsByScan(connection, 3), sorted)
      const behind = await connection.scan(notes.name, { afterId: 'aa', limit: 1 })
      const expected = sorted.find((id) => Buffer.compare(Buffer.from(id), Buffer.from('aa')) > 0)
      assert.deepEqual(
        behind.map((record) => record.id),
        [expected],
        'a scan goes on behind an id that does not exist',
      )
    })

    storeTest('counts what is there', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      assert.equal(await connection.count(notes.name), 0)
      await commitWrites(connection, put('a'), put('b'), put('c'))
      await commitWrites(connection, put('a'), remove('b'), remove('never-there'))
      assert.equal(await connection.count(notes.name), 2)
    })

    storeTest('refuses a collection that does not exist', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await assert.rejects(connection.read('suite.absent', ['a']), /suite\.absent/)
      await assert.rejects(connection.count('suite.absent'), /suite\.absent/)
      await assert.rejects(
        connection.commit(batchOf(put('a'), { kind: 'put', collection: 'suite.absent', id: 'a', body: '{}', keys: [] })),
        /suite\.absent/,
      )
      assert.equal(await readOne(connection, 'a'), undefined, 'nothing of the refused batch was written')
    })
  })
}
