import assert from 'node:assert/strict'
import { commitWrites } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { fillTexts, found, putText, removeText, searchPage, termsOf } from '../support/suite-texts.js'

/** The pages of a search: order, position, size and duration. */
export function describeSearchPages({ storeTest }: SuiteTopic): void {
  storeTest('return the newest first, in pages', async (store) => {
    const orders = [5, 0, 32_503_679_999_999, 7, 7, 7, 1_790_000_000_000, 7, 1, 2 ** 32, 7]
    const connection = await fillTexts(store, ...orders.map((order, number) => putText(`d${number}`, 'sun', { order })))
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

  storeTest('continue after a position whose document was deleted or changed', async (store) => {
    const connection = await fillTexts(store, ...[9, 8, 7, 6, 5].map((order) => putText(`d${order}`, 'sun', { order })))
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

  storeTest('end a page before its bytes exceed the limit, with at least one record', async (store) => {
    const writes = [4, 3, 2, 1].map((order) => putText(`d${order}`, `sun ${'ä'.repeat(60)}`, { order }))
    const connection = await fillTexts(store, ...writes)
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
    const connection = await fillTexts(store, putText('a', 'sun'))
    const reason = new Error('the caller stopped waiting')
    await assert.rejects(searchPage(connection, { terms: termsOf('sun'), signal: AbortSignal.abort(reason) }), reason)
    const controller = new AbortController()
    const page = await searchPage(connection, { terms: termsOf('sun'), signal: controller.signal })
    controller.abort(reason)
    assert.equal(page.records.length, 1)
  })
}
