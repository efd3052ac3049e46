import assert from 'node:assert/strict'
import { commitWrites } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { ensureTexts, fillTexts, found, putText, searchPage, termsOf } from '../support/suite-texts.js'

/** Which documents a search finds by its words. */
export function describeSearchedWords({ storeTest }: SuiteTopic): void {
  storeTest('find documents with every word, in any position', async (store) => {
    const connection = await fillTexts(
      store,
      putText('a', 'the sun and the sea', { order: 3 }),
      putText('b', 'sea\nsun', { order: 2 }),
      putText('c', 'sun', { order: 1 }),
      putText('none'),
    )
    assert.deepEqual(await found(connection, termsOf('sun')), ['a', 'b', 'c'])
    assert.deepEqual(await found(connection, termsOf('sea', 'sun')), ['a', 'b'])
    assert.deepEqual(await found(connection, termsOf('sea', 'moon')), [])
    assert.deepEqual(await found(connection, termsOf('su')), [])
    assert.deepEqual(await found(connection, termsOf('and', 'the')), ['a'])
  })

  storeTest('return each record as stored', async (store) => {
    await ensureTexts(store)
    const write = putText('a', 'sun', { code: 'x' })
    const revision = await commitWrites(store.connection, write)
    const page = await searchPage(store.connection, { terms: termsOf('sun') })
    assert.deepEqual(
      page.records.map(({ id, revision, body }) => [id, revision, JSON.parse(body)]),
      [['a', revision, write.kind === 'put' && JSON.parse(write.body)]],
    )
    assert.equal(page.more, false)
  })

  storeTest('find longer words only for prefix terms', async (store) => {
    const connection = await fillTexts(
      store,
      putText('a', 'sunday', { order: 3 }),
      putText('b', 'sun', { order: 2 }),
      putText('c', 'a sunday walk', { order: 1 }),
    )
    assert.deepEqual(await found(connection, termsOf('sun*')), ['a', 'b', 'c'])
    assert.deepEqual(await found(connection, termsOf('sun')), ['b'])
    assert.deepEqual(await found(connection, termsOf('sunday*')), ['a', 'c'])
    assert.deepEqual(await found(connection, termsOf('a sun*')), ['c'])
    assert.deepEqual(await found(connection, termsOf('unday*')), [])
  })

  storeTest('find phrases in one passage only', async (store) => {
    const connection = await fillTexts(
      store,
      putText('a', 'new york city', { order: 3 }),
      putText('b', 'york new', { order: 2 }),
      putText('c', 'so new\nyork', { order: 1 }),
    )
    assert.deepEqual(await found(connection, termsOf('new york')), ['a'])
    assert.deepEqual(await found(connection, termsOf('york city')), ['a'])
    assert.deepEqual(await found(connection, termsOf('new city')), [])
    assert.deepEqual(await found(connection, termsOf('new', 'york')), ['a', 'b', 'c'])
  })

  storeTest('find documents of only one scope, with any name', async (store) => {
    const scopes = ['ann', 'Ann', 'ann ', 'anne', 'an', 'ann"', 'änn', 'an\nn', 'sun', '*', 'x'.repeat(500)]
    const connection = await fillTexts(store, ...scopes.map((scope, number) => putText(`d${number}`, 'sun and ann', { scope })))
    for (const [number, scope] of scopes.entries()) {
      assert.deepEqual(await found(connection, termsOf('sun'), { scope }), [`d${number}`])
      assert.deepEqual(await found(connection, termsOf('a*'), { scope }), [`d${number}`])
    }
    assert.deepEqual(await found(connection, termsOf('sun'), { scope: 'nobody' }), [])
    assert.deepEqual(await found(connection, termsOf('sun'), { scope: '' }), [])
  })

  storeTest('take any word as a word', async (store) => {
    const words = ['and', 'or', 'not', 'near', 'words', 'null', '0', '00', '東', 'é', 'हिन्दी', '🎉', 'x'.repeat(64), 'straße']
    const connection = await fillTexts(
      store,
      ...words.map((word, number) => putText(`d${number}`, `first ${word} last`, { order: number })),
    )
    for (const [number, word] of words.entries()) {
      assert.deepEqual(await found(connection, termsOf(word)), [`d${number}`], word)
      assert.deepEqual(await found(connection, termsOf(`first ${word}`, 'last')), [`d${number}`], word)
    }
    assert.deepEqual(await found(connection, termsOf('e')), [], 'words are compared as they are')
    assert.equal((await found(connection, termsOf('first'))).length, words.length)
  })
}
