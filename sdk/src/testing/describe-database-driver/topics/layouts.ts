import assert from 'node:assert/strict'
import {
  type CollectionLayout,
  type DocumentRecord,
  type IndexKey,
  uniqueViolationError,
} from '../../../contracts/database-driver/index.js'
import {
  batchOf,
  bytes,
  commitWrites,
  copied,
  copies,
  expectCommitted,
  idsByIndex,
  idsByScan,
  labels,
  noKeys,
  notes,
  put,
  readOne,
  textOf,
} from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

const byText = { name: 'by_text', fields: ['text'], unique: false }
const keyOfText = (record: DocumentRecord): IndexKey => bytes(String(textOf(record)))
const layoutOf = (...indexes: CollectionLayout['indexes'][number][]): CollectionLayout => ({ name: notes.name, version: 1, indexes })

/** Creating collections and changing their indexes. */
export function describeLayouts({ runner, storeTest }: SuiteTopic): void {
  runner.describe('layouts', () => {
    storeTest('are listed unchanged, by name', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection({ ...labels, version: 7 }, () => [null])
      assert.deepEqual(await connection.layouts(), [{ ...labels, version: 7 }, notes])
    })

    storeTest('may be ensured again without change', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { rank: 'r', code: 'c' }))
      await connection.ensureCollection(notes, () => [bytes('r'), bytes('c')])
      await connection.ensureCollection({ ...notes, version: 2 }, () => [bytes('r'), bytes('c')])
      assert.deepEqual(await connection.layouts(), [{ ...notes, version: 2 }])
      assert.deepEqual(await idsByIndex(connection, 'by_rank'), ['a'])
    })

    storeTest('fill a new index from the documents that are there', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(), () => [])
      const writes = ['cherry', 'apple', 'banana'].map((text, number) => ({ ...put(`d${number}`, { text }), keys: [] }))
      await commitWrites(connection, ...writes, { kind: 'put', collection: notes.name, id: 'none', body: '{}', keys: [] })
      const revisions = (await connection.read(notes.name, ['d0', 'd1'])).map((record) => record?.revision)
      await connection.ensureCollection(layoutOf(byText), (record) => [record.id === 'none' ? null : keyOfText(record)])
      assert.deepEqual(await idsByIndex(connection, 'by_text'), ['d1', 'd2', 'd0'])
      assert.deepEqual(
        (await connection.read(notes.name, ['d0', 'd1'])).map((record) => record?.revision),
        revisions,
        'the documents themselves have not changed',
      )
    })

    storeTest('fill a new index of many documents', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(), () => [])
      const all = Array.from({ length: 700 }, (_, number) => String(number).padStart(5, '0'))
      await commitWrites(connection, ...all.map((id) => ({ ...put(id, { text: id }), keys: [] })))
      await connection.ensureCollection(layoutOf({ ...byText, unique: true }), (record) => [keyOfText(record)])
      assert.deepEqual(await idsByIndex(connection, 'by_text'), all)
    })

    storeTest('drop an index and keep the others, in any position', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { rank: '2', code: 'x' }), put('b', { rank: '1', code: 'y' }))
      const [, byCode] = notes.indexes
      assert.ok(byCode)
      const codes: Readonly<Record<string, string>> = { a: 'x', b: 'y' }
      await connection.ensureCollection(layoutOf(byCode), (record) => [bytes(codes[record.id] ?? '')])
      await assert.rejects(idsByIndex(connection, 'by_rank'), /by_rank/)
      assert.deepEqual(await idsByIndex(connection, 'by_code'), ['a', 'b'])
      await commitWrites(connection, { kind: 'put', collection: notes.name, id: 'c', body: '{}', keys: [bytes('w')] })
      assert.deepEqual(await idsByIndex(connection, 'by_code'), ['c', 'a', 'b'])
      assert.equal(
        (await connection.commit(batchOf({ kind: 'put', collection: notes.name, id: 'd', body: '{}', keys: [bytes('w')] }))).outcome,
        'unique-violation',
      )
      await connection.ensureCollection(layoutOf(byText, byCode), (record) => [bytes(`t${record.id}`), bytes(codes[record.id] ?? 'w')])
      assert.deepEqual(await idsByIndex(connection, 'by_text'), ['a', 'b', 'c'])
      assert.deepEqual(await idsByIndex(connection, 'by_code'), ['c', 'a', 'b'])
    })

    storeTest('fill an index again when its fields change', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(byText), () => [null])
      const write = (id: string, text: string, key: string) =>
        ({ kind: 'put', collection: notes.name, id, body: JSON.stringify({ text }), keys: [bytes(key)] }) as const
      await commitWrites(connection, write('a', 'z', '1'), write('b', 'y', '2'))
      assert.deepEqual(await idsByIndex(connection, 'by_text'), ['a', 'b'])
      await connection.ensureCollection(layoutOf({ ...byText, fields: ['text', 'id'] }), (record) => [keyOfText(record)])
      assert.deepEqual(await idsByIndex(connection, 'by_text'), ['b', 'a'])
    })

    storeTest('become unique if the documents allow it, and plain again', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(byText), () => [null])
      const write = (id: string, key: string) =>
        ({ kind: 'put', collection: notes.name, id, body: JSON.stringify({ text: key }), keys: [bytes(key)] }) as const
      await commitWrites(connection, write('a', 'x'), write('b', 'y'))
      await connection.ensureCollection(layoutOf({ ...byText, unique: true }), (record) => [keyOfText(record)])
      assert.equal((await connection.commit(batchOf(write('c', 'x')))).outcome, 'unique-violation')
      await connection.ensureCollection(layoutOf(byText), (record) => [keyOfText(record)])
      expectCommitted(await connection.commit(batchOf(write('c', 'x'))))
    })

    storeTest('do not change when documents break a new unique index', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(byText), () => [null])
      const write = (id: string, key: string) =>
        ({ kind: 'put', collection: notes.name, id, body: JSON.stringify({ text: key }), keys: [bytes(key)] }) as const
      await commitWrites(connection, write('a', 'x'), write('b', 'x'))
      const before = await connection.layouts()
      for (const layout of [
        layoutOf({ ...byText, unique: true }),
        layoutOf(byText, { name: 'by_text_too', fields: ['text'], unique: true }),
      ]) {
        await assert.rejects(
          connection.ensureCollection({ ...layout, version: 2 }, (record) => layout.indexes.map(() => keyOfText(record))),
          (error) => uniqueViolationError.isInstance(error),
        )
        assert.deepEqual(await connection.layouts(), before)
        assert.deepEqual(await idsByIndex(connection, 'by_text'), ['a', 'b'])
      }
      await commitWrites(connection, write('c', 'x'))
      assert.equal(await connection.count(notes.name), 3)
    })

    storeTest('do not change when a key function throws', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(), () => [])
      await commitWrites(connection, { kind: 'put', collection: notes.name, id: 'a', body: '{}', keys: [] })
      const boom = new Error('no key for this document')
      await assert.rejects(
        connection.ensureCollection(layoutOf(byText), () => {
          throw boom
        }),
        /no key for this document/,
      )
      assert.deepEqual(await connection.layouts(), [layoutOf()])
      await commitWrites(connection, { kind: 'put', collection: notes.name, id: 'b', body: '{}', keys: [] })
    })

    storeTest('take part in the order of commits', async ({ connection }) => {
      await connection.ensureCollection(layoutOf(), () => [])
      const first = connection.commit(batchOf({ kind: 'put', collection: notes.name, id: 'a', body: '{"text":"a"}', keys: [] }))
      const ensured = connection.ensureCollection(layoutOf(byText), (record) => [keyOfText(record)])
      const second = connection.commit(batchOf({ kind: 'put', collection: notes.name, id: 'b', body: '{"text":"b"}', keys: [bytes('b')] }))
      expectCommitted(await first)
      await ensured
      expectCommitted(await second)
      assert.deepEqual(await idsByIndex(connection, 'by_text'), ['a', 'b'])
    })

    storeTest('go in the order of commits too', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(copies, noKeys)
      const before = connection.commit(batchOf(put('a', { code: 'x' }), copied(put('a', { code: 'x' }))))
      const dropped = connection.dropCollection(notes.name)
      const ensured = connection.ensureCollection(notes, noKeys)
      const after = connection.commit(batchOf(put('b', { code: 'x' })))
      expectCommitted(await before)
      await dropped
      await ensured
      expectCommitted(await after)
      assert.deepEqual(await idsByScan(connection), ['b'])
      assert.equal(await connection.count(copies.name), 1)
    })

    storeTest('are removed by dropCollection, with all documents', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(labels, () => [null])
      const revision = await commitWrites(connection, put('a', { code: 'x' }))
      await connection.dropCollection(notes.name)
      assert.deepEqual(await connection.layouts(), [labels])
      await assert.rejects(connection.read(notes.name, ['a']), /suite\.notes/)
      await connection.ensureCollection(notes, noKeys)
      assert.equal(await readOne(connection, 'a'), undefined)
      assert.equal(await connection.count(notes.name), 0)
      assert.ok((await commitWrites(connection, put('a', { code: 'x' }))) > revision, 'the revision was used before')
    })
  })
}
