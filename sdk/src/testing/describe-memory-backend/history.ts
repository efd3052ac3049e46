import { strict as assert } from 'node:assert'
import { foreignRecord } from './moves.js'
import { ada } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

const year = (number: number): string => new Date(Date.UTC(number, 0, 1)).toISOString()

/** What held at another time. */
export function describeHistory({ it }: MemorySuite): void {
  it('knows what held at another time, and what holds now', async ({ backend, signal, take, listAll }) => {
    const page = foreignRecord('home', { kind: 'summary', title: 'Home', text: 'Where she lives.' })
    const statement = { kind: 'statement', pageId: 'home' } as const
    const lisbon = foreignRecord('lisbon', { ...statement, text: 'Lives in Lisbon', validFrom: year(2020), validTo: year(2022) })
    const porto = foreignRecord('porto', { ...statement, text: 'Lives in Porto', validFrom: year(2022) })
    await take([page, lisbon, porto])
    for (const [asOf, expected] of [
      [year(2021), 'Lives in Lisbon'],
      [year(2024), 'Lives in Porto'],
      [undefined, 'Lives in Porto'],
      [year(2000), undefined],
    ] as const) {
      const time = asOf === undefined ? {} : { asOf }
      const hits = await backend.search({ userId: ada, text: 'lives', limit: 9, kinds: ['statement'], ...time }, { signal })
      const texts = expected === undefined ? [] : [expected]
      assert.deepEqual(
        hits.map(({ item }) => item.text),
        texts,
        `the search as of ${asOf ?? 'now'}`,
      )
      const listed = await listAll({}, { kinds: ['statement'], pageId: 'home', ...time })
      if (asOf !== undefined)
        assert.deepEqual(
          listed.map(({ text }) => text),
          texts,
          `the list as of ${asOf}`,
        )
    }
    assert.equal(
      (await backend.get('lisbon', { userId: ada }, { signal }))?.validTo,
      year(2022),
      'what no longer holds is not given by its id',
    )
  })
}
