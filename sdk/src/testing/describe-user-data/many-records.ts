import { strict as assert } from 'node:assert'
import { assertHandedOver } from './handing-over.js'
import { assertComplete, exported, still, storedOf } from './records.js'
import type { UserDataSuite } from './suite-options.js'

/** Rules for more records than one page of a query has. */
export function describeManyRecords({ it: test, using }: UserDataSuite): void {
  test('exports, counts and erases more than one page of records', async (subject) => {
    const { data, fillMany } = subject
    if (typeof fillMany !== 'function') return
    await using(async (small) => {
      await small.fill('user-1')
      await fillMany('user-1')
      const [few, many] = [await small.data.size('user-1', still), await data.size('user-1', still)]
      assert.ok(many.records > few.records, `size reports ${many.records} records of many, and ${few.records} of a few`)
    })
    const records = await exported(data, 'user-1')
    assertComplete(records, await storedOf(subject, 'user-1'), 'the export of many records')
    assert.equal(new Set(records.map(({ path }) => path)).size, records.length, 'two of many records have the same path')
    await data.erase('user-1', still)
    assert.deepEqual(await exported(data, 'user-1'), [], 'some of many records were left')
    assert.deepEqual(await storedOf(subject, 'user-1'), [], 'some of many records were left in the store')
    assert.equal((await data.size('user-1', still)).records, 0, 'size still counts erased data')
  })
  test('hands over more than one page of records', async ({ data, fillMany }) => {
    if (typeof fillMany !== 'function' || !data.handOver) return
    await fillMany('user-1')
    await assertHandedOver(data, 'user-1', 'the first')
  })
}
