import assert from 'node:assert/strict'
import type { DatabaseConnection, SearchTerm } from '../../../contracts/database-driver/index.js'
import { batchOf, commitWrites, expectCommitted, notes } from '../suite-data.js'
import type { SuiteStore, SuiteTopic } from '../suite-store.js'
import { codeOf, found, plainTexts, putText, removeText, searchOf, searchPage, termsOf, texts } from '../suite-texts.js'

const ensure = ({ connection }: { readonly connection: DatabaseConnection }): Promise<void> =>
  connection.ensureCollection(texts, codeOf, searchOf)

/** Makes texts of a store that has none. */
async function fill(store: SuiteStore, ...writes: readonly Parameters<typeof commitWrites>[1][]): Promise<DatabaseConnection> {
  await ensure(store)
  await commitWrites(store.connection, ...writes)
  return store.connection
}

/** What a text index finds, and what it does not. */
export function describeSearches({ runner, options, storeTest }: SuiteTopic): void {
  runner.describe('searches', () => {
    storeTest('find documents that have every word, wherever it stands', async (store) => {
      const connection = await fill(
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

    storeTest('give each record as it is stored', async (store) => {
      await ensure(store)
      const write = putText('a', 'sun', { code: 'x' })
      const revision = await commitWrites(store.connection, write)
      const page = await searchPage(store.connection, { terms: termsOf('sun') })
      assert.deepEqual(
        page.records.map(({ id, revision, body }) => [id, revision, JSON.parse(body)]),
        [['a', revision, write.kind === 'put' && JSON.parse(write.body)]],
      )
      assert.equal(page.more, false)
    })

    storeTest('find words that go on only where a term says so', async (store) => {
      const connection = await fill(
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
      const connection = await fill(
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

    storeTest('find documents of one scope alone, whatever it is called', async (store) => {
      const scopes = ['ann', 'Ann', 'ann ', 'anne', 'an', 'ann"', 'änn', 'an\nn', 'sun', '*', 'x'.repeat(500)]
      const connection = await fill(store, ...scopes.map((scope, number) => putText(`d${number}`, 'sun and ann', { scope })))
      for (const [number, scope] of scopes.entries()) {
        assert.deepEqual(await found(connection, termsOf('sun'), { scope }), [`d${number}`])
        assert.deepEqual(await found(connection, termsOf('a*'), { scope }), [`d${number}`])
      }
      assert.deepEqual(await found(connection, termsOf('sun'), { scope: 'nobody' }), [])
      assert.deepEqual(await found(connection, termsOf('sun'), { scope: '' }), [])
    })

    storeTest('take any word as a word', async (store) => {
      const words = ['and', 'or', 'not', 'near', 'words', 'null', '0', '00', '東', 'é', 'हिन्दी', '🎉', 'x'.repeat(64), 'straße']
      const connection = await fill(store, ...words.map((word, number) => putText(`d${number}`, `first ${word} last`, { order: number })))
      for (const [number, word] of words.entries()) {
        assert.deepEqual(await found(connection, termsOf(word)), [`d${number}`], word)
        assert.deepEqual(await found(connection, termsOf(`first ${word}`, 'last')), [`d${number}`], word)
      }
      assert.deepEqual(await found(connection, termsOf('e')), [], 'words are compared as they are')
      assert.equal((await found(connection, termsOf('first'))).length, words.length)
    })

    storeTest('give the newest first, in pages', async (store) => {
      const orders = [5, 0, 32_503_679_999_999, 7, 7, 7, 1_790_000_000_000, 7, 1, 2 ** 32, 7]
      const connection = await fill(store, ...orders.map((order, number) => putText(`d${number}`, 'sun', { order })))
      const all = await found(connection, termsOf('sun'), { limit: 100 })
      assert.deepEqual(
        [all.slice(0, 3), all.slice(-3)],
        [
          ['d2', 'd6', 'd9'],
          ['d0', 'd8', 'd1'],
        ],
      )
      assert.deepEqual([...all].sort(), orders.map((_, number) => `d${number}`).sort())
      for (const limit of [1, 2, 4, orders.length]) assert.deepEqual(await found(connection, termsOf('sun'), { limit }), all)
      assert.equal((await searchPage(connection, { terms: termsOf('sun'), limit: orders.length })).more, false)
      assert.equal((await searchPage(connection, { terms: termsOf('sun'), limit: orders.length - 1 })).more, true)
    })

    storeTest('go on behind a position whose document has gone or changed', async (store) => {
      const connection = await fill(store, ...[9, 8, 7, 6, 5].map((order) => putText(`d${order}`, 'sun', { order })))
      const { records } = await searchPage(connection, { terms: termsOf('sun'), limit: 2 })
      const after = records.at(-1)?.position
      assert.ok(after)
      const rest = ['d7', 'd6', 'd5']
      await commitWrites(connection, putText('d8', 'moon', { order: 8 }))
      assert.deepEqual(await found(connection, termsOf('sun'), { after }), rest)
      await commitWrites(connection, removeText('d8'))
      assert.deepEqual(await found(connection, termsOf('sun'), { after }), rest)
      await commitWrites(connection, putText('d8', 'sun', { order: 1 }), putText('new', 'sun', { order: 10 }))
      assert.deepEqual(await found(connection, termsOf('sun'), { after }), [...rest, 'd8'])
      for (const position of [[], [255], [0, 0, 0], Array.from({ length: 300 }, () => 255)])
        await searchPage(connection, { terms: termsOf('sun'), after: Uint8Array.from(position) })
    })

    storeTest('follow every change of a text, its time and its scope', async (store) => {
      const connection = await fill(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 1 }))
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
      const connection = await fill(store, putText('a', 'sun', { code: 'taken' }))
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

    storeTest('stop a page before its bytes exceed the limit, and give at least one', async (store) => {
      const writes = [4, 3, 2, 1].map((order) => putText(`d${order}`, `sun ${'ä'.repeat(60)}`, { order }))
      const connection = await fill(store, ...writes)
      const [first] = writes
      assert.ok(first?.kind === 'put')
      const size = Buffer.byteLength(first.body)
      const idsFor = async (maximumBytes: number): Promise<unknown> => {
        const { records, more } = await searchPage(connection, { terms: termsOf('sun'), maximumBytes })
        return [records.map(({ id }) => id), more]
      }
      assert.deepEqual(await idsFor(2 * size), [['d4', 'd3'], true])
      assert.deepEqual(await idsFor(2 * size - 1), [['d4'], true])
      assert.deepEqual(await idsFor(1), [['d4'], true])
      assert.deepEqual(await idsFor(4 * size), [['d4', 'd3', 'd2', 'd1'], false])
    })

    storeTest('end with the reason of their signal', async (store) => {
      const connection = await fill(store, putText('a', 'sun'))
      const reason = new Error('nobody waits any more')
      await assert.rejects(searchPage(connection, { terms: termsOf('sun'), signal: AbortSignal.abort(reason) }), reason)
      const controller = new AbortController()
      const page = await searchPage(connection, { terms: termsOf('sun'), signal: controller.signal })
      controller.abort(reason)
      assert.equal(page.records.length, 1)
    })

    storeTest('are refused where there is no text index, without a word of them', async (store) => {
      await ensure(store)
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

    storeTest('find what was there before the text index, in whatever way it comes and goes', async ({ connection }) => {
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

    storeTest('find by the new texts where the text index is laid out anew', async (store) => {
      const connection = await fill(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 1 }))
      const { search } = texts
      assert.ok(search)
      await connection.ensureCollection({ ...texts, search: { ...search, generation: 2 } }, codeOf, (record) => {
        const text = searchOf(record)
        return record.id === 'a' ? null : text && { ...text, words: `new ${text.words}` }
      })
      assert.deepEqual(await found(connection, termsOf('new sun')), ['b'])
      assert.deepEqual(await found(connection, termsOf('sun')), ['b'])
      await connection.dropCollection(texts.name)
      await ensure(store)
      assert.deepEqual(await found(connection, termsOf('sun')), [])
    })

    storeTest('find the same after the store was opened again, or restored', async (store) => {
      await fill(store, putText('a', 'sun', { order: 2 }), putText('b', 'sun', { order: 2 }), putText('c', 'moon sun', { order: 1 }))
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

    storeTest('agree with a plain model over random writes', async (store) => {
      await ensure(store)
      await compareWithModel(store.connection, options.name.length + 1)
    })
  })
}

interface ModelText {
  readonly scope: string
  readonly order: number
  readonly words: string
}

/** The meaning of a search, said with lists of words. */
function modelHas({ words }: ModelText, terms: readonly SearchTerm[]): boolean {
  const passages = words.split('\n').map((passage) => passage.split(' '))
  return terms.every(({ words: wanted, prefix }) =>
    passages.some((passage) =>
      passage.some((_, start) =>
        wanted.every((word, at) => {
          const there = passage[start + at]
          return at === wanted.length - 1 && prefix ? there?.startsWith(word) : there === word
        }),
      ),
    ),
  )
}

async function compareWithModel(connection: DatabaseConnection, seed: number): Promise<void> {
  let state = seed
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
  const vocabulary = ['a', 'an', 'and', 'b', 'ba', 'é', '東', '京', 'x1']
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => items[below(items.length)] as Item
  const passage = (most: number): string => Array.from({ length: 1 + below(most) }, () => pick(vocabulary)).join(' ')
  const model = new Map<string, ModelText>()
  for (let round = 0; round < 40; round += 1) {
    const writes = new Map(
      Array.from({ length: 1 + below(6) }, () => {
        const id = `d${below(40)}`
        if (below(5) === 0) return [id, removeText(id)] as const
        if (below(8) === 0) return [id, putText(id)] as const
        const words = Array.from({ length: 1 + below(2) }, () => passage(5)).join('\n')
        return [id, putText(id, words, { scope: pick(['ann', 'bob']), order: below(12) })] as const
      }),
    )
    expectCommitted(await connection.commit(batchOf(...writes.values())))
    for (const [id, write] of writes) {
      if (write.kind === 'put' && write.search) model.set(id, write.search)
      else model.delete(id)
    }
    for (let number = 0; number < 4; number += 1) {
      const terms = Array.from({ length: 1 + below(3) }, () => ({ words: passage(3).split(' '), prefix: below(2) === 0 }))
      const scope = pick(['ann', 'bob'])
      const expected = [...model].filter(([, text]) => text.scope === scope && modelHas(text, terms)).map(([id]) => id)
      const ids = await found(connection, terms, { scope, limit: 1 + below(5) })
      assert.deepEqual([...ids].sort(), expected.sort(), `round ${round}: ${JSON.stringify({ scope, terms })}`)
    }
  }
}
