import assert from 'node:assert/strict'
import { batchOf, commitWrites, notes } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import {
  codeOf,
  ensureTexts,
  fillTexts,
  found,
  plainTexts,
  putText,
  removeText,
  searchOf,
  searchPage,
  termsOf,
  texts,
} from '../support/suite-texts.js'

/** How a text index follows its documents: with every write, with its layout, and over restarts. */
export function describeSearchedChanges({ storeTest }: SuiteTopic): void {
  storeTest('follow every change of a text, its time and its scope', async (store) => {
    const connection = await fillTexts(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 1 }))
    const both = async (): Promise<unknown> => [await found(connection, termsOf('sun')), await found(connection, termsOf('moon'))]
    await commitWrites(connection, putText('a', 'sun moon', { order: 2, code: 'x' }))
    assert.deepEqual(await both(), [['a', 'b'], ['a']])
    await commitWrites(connection, putText('a', 'moon', { order: 2 }))
    assert.deepEqual(await both(), [['b'], ['a']])
    await commitWrites(connection, putText('a', 'sun', { order: 0 }))
    assert.deepEqual(await both(), [['b', 'a'], []])
    await commitWrites(connection, putText('a', 'sun', { order: 0, scope: 'bob' }))
    assert.deepEqual(await both(), [['b'], []])
    assert.deepEqual(await found(connection, termsOf('sun'), { scope: 'bob' }), ['a'])
    await commitWrites(connection, putText('a'))
    assert.deepEqual(await found(connection, termsOf('sun'), { scope: 'bob' }), [])
    await commitWrites(connection, removeText('b'), putText('a', 'sun'))
    assert.deepEqual(await both(), [['a'], []])
    await commitWrites(connection, removeText('a'), removeText('absent'))
    assert.deepEqual(await both(), [[], []])
    await commitWrites(connection, putText('a', 'moon'))
    assert.deepEqual(await both(), [[], ['a']])
  })

  storeTest('see a text with its document and never without it', async (store) => {
    const connection = await fillTexts(store, putText('a', 'sun', { code: 'taken' }))
    const refused = await connection.commit(batchOf(putText('b', 'sun'), putText('c', 'sun', { code: 'taken' })))
    assert.equal(refused.outcome, 'unique-violation')
    const check = { kind: 'revision', collection: texts.name, id: 'a', revision: 0 } as const
    assert.equal((await connection.commit({ checks: [check], writes: [putText('a', 'moon'), putText('d', 'sun')] })).outcome, 'conflict')
    assert.deepEqual(await found(connection, termsOf('sun')), ['a'])
    assert.deepEqual(await found(connection, termsOf('moon')), [])
    for (let number = 0; number < 30; number += 1) {
      await commitWrites(connection, putText(`n${number}`, `count${number}`))
      assert.deepEqual(await found(connection, termsOf(`count${number}`)), [`n${number}`], 'an acknowledged commit is not seen')
    }
  })

  storeTest('are refused without a text index, and errors omit the words', async (store) => {
    await ensureTexts(store)
    await store.connection.ensureCollection(notes, () => [null, null])
    for (const collection of [notes.name, 'suite.absent']) {
      await assert.rejects(searchPage(store.connection, { collection, terms: termsOf('secret') }), (error) => {
        assert.ok(error instanceof Error)
        assert.match(error.message, new RegExp(collection))
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    }
  })

  storeTest('find documents from before the text index, however it is added or dropped', async ({ connection }) => {
    await connection.ensureCollection(plainTexts, codeOf)
    const numbers = Array.from({ length: 260 }, (_, number) => number)
    await commitWrites(connection, ...numbers.map((order) => putText(`d${order}`, `sun n${order}`, { order })), putText('none'))
    await connection.ensureCollection(texts, codeOf, searchOf)
    assert.deepEqual(await connection.layouts(), [texts])
    assert.deepEqual(await found(connection, termsOf('sun'), { limit: 200 }), numbers.map((order) => `d${order}`).reverse())
    await connection.ensureCollection(plainTexts, codeOf)
    await assert.rejects(found(connection, termsOf('sun')), /suite\.texts/)
    await commitWrites(connection, putText('d1', 'moon', { order: 1 }), removeText('d2'), putText('more', 'sun n1', { order: 9000 }))
    await connection.ensureCollection({ ...texts, version: 2 }, codeOf, searchOf)
    assert.deepEqual(await found(connection, termsOf('n1')), ['more'])
    assert.deepEqual(await found(connection, termsOf('n2')), [])
    assert.deepEqual(await found(connection, termsOf('moon')), ['d1'])
    await commitWrites(connection, putText('d3', 'moon', { order: 3 }))
    assert.deepEqual(await found(connection, termsOf('moon')), ['d3', 'd1'])
  })

  storeTest('find by the new texts after the layout of the text index changes', async (store) => {
    const connection = await fillTexts(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 1 }))
    const { search } = texts
    assert.ok(search)
    await connection.ensureCollection({ ...texts, search: { ...search, generation: 2 } }, codeOf, (record) => {
      const text = searchOf(record)
      return record.id === 'a' ? null : text && { ...text, words: `new ${text.words}` }
    })
    assert.deepEqual(await found(connection, termsOf('new sun')), ['b'])
    assert.deepEqual(await found(connection, termsOf('sun')), ['b'])
    await connection.dropCollection(texts.name)
    await ensureTexts(store)
    assert.deepEqual(await found(connection, termsOf('sun')), [])
  })

  storeTest('find the same after the store was opened again, or restored', async (store) => {
    await fillTexts(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 2 }), putText('c', 'moon sun', { order: 1 }))
    const before = await found(store.connection, termsOf('sun'))
    await store.reopen()
    assert.deepEqual(await store.connection.layouts(), [texts])
    assert.deepEqual(await found(store.connection, termsOf('sun')), before)
    await commitWrites(store.connection, putText('d', 'sun', { order: 0 }), putText('c', 'moon', { order: 1 }))
    const connection = await store.crash()
    const after = [...before.filter((id) => id !== 'c'), 'd']
    assert.deepEqual(await found(connection, termsOf('sun')), after)
    if (!connection.backup) return
    const folder = await store.createFolder()
    await connection.backup(folder, { signal: new AbortController().signal, progress: () => undefined })
    await commitWrites(connection, removeText('a'))
    const copy = await store.openFolder(folder)
    assert.deepEqual(await found(copy, termsOf('sun')), after)
    await commitWrites(copy, putText('d', 'moon', { order: 0 }))
    assert.deepEqual(await found(copy, termsOf('moon')), ['c', 'd'])
  })
}
