import { strict as assert } from 'node:assert'
import { checkUserData } from '../../contracts/user-data/index.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { boundMembers } from '../bound-members.js'
import { createSecretFinder } from '../secret-finder.js'
import { settleWithin } from '../settle-within.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type UncheckedRules } from '../unchecked-rules.js'
import { describeErasing } from './erasing.js'
import { describeHandingOver } from './handing-over.js'
import { describeManyRecords } from './many-records.js'
import { assertComplete, assertOwn, assertRecord, exported, still, storedOf } from './records.js'
import type { UserDataSubject, UserDataSuite, UserDataSuiteOptions } from './suite-options.js'
import { describeUsersApart } from './users-apart.js'

const rulesOfStored = ['the export has every record, and none of another user', 'the erasure leaves nothing that the export hides'] as const

/**
 * Tests every rule of the `user.data` contract.
 *
 * @example
 * const visits = new Map<string, number>()
 * const data = defineUserData({
 *   id: 'visits',
 *   collections: [],
 *   async *export(userId) {
 *     yield { path: 'visits.json', json: visits.get(userId) ?? 0 }
 *   },
 *   erase: async (userId) => void visits.delete(userId),
 *   size: async (userId) => ({ records: visits.has(userId) ? 1 : 0, bytes: 8 }),
 * })
 * describeUserData({
 *   name: 'visits',
 *   create: () => ({
 *     data,
 *     fill: async (userId) => void visits.set(userId, 1),
 *     stored: (userId) => (visits.has(userId) ? [`${visits.get(userId)} visits of ${userId}`] : []),
 *     fillMany: 'not applicable',
 *     secrets: [],
 *     restarted: 'not applicable',
 *   }),
 * })
 */
export function describeUserData({ name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 }: UserDataSuiteOptions): void {
  const using = async (body: (subject: UserDataSubject) => Promise<void>): Promise<void> => {
    const subject = boundMembers(await create())
    try {
      await body(subject)
    } finally {
      await subject.close?.()
    }
  }
  runner.describe(`user data ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `user data ${name}`)
    const suite: UserDataSuite = {
      abortLimitMs,
      using,
      it: (title, body) =>
        runner.it(title, () =>
          using(async (subject) => {
            noteAbsent(subject, unchecked)
            await body(subject)
          }),
        ),
    }
    describeExport(suite)
    describeErasing(suite)
    describeManyRecords(suite)
    describeUsersApart(suite)
    describeHandingOver(suite)
    suite.it('ends when it is aborted', async ({ data, fill }) => {
      await fill('user-1')
      for (const work of [exported, (given: typeof data, userId: string, options: typeof still) => given.erase(userId, options)]) {
        const controller = new AbortController()
        const running = work(data, 'user-1', { signal: controller.signal })
        controller.abort(new Error('stopped'))
        await settleWithin(running, abortLimitMs, 'the work')
      }
    })
  })
}

/** Remembers what nothing checks of a subject without these inputs. */
function noteAbsent({ data, database, stored, acting, fillMany, secrets, restarted }: UserDataSubject, unchecked: UncheckedRules): void {
  if (data.collections.length > 0 && !database) unchecked.without('database', ...rulesOfStored)
  if (data.collections.length === 0 && !stored) unchecked.without('stored', ...rulesOfStored)
  if (data.handOver && !acting) unchecked.without('acting', 'nothing acts for the former holder after a hand-over')
  if (!fillMany) unchecked.without('fillMany', 'what one page of a query does not hold is exported, counted, erased and handed over')
  if (!secrets) unchecked.without('secrets', 'no record of an export has a secret')
  if (!restarted) unchecked.without('restarted', 'another process does the rest of an aborted erasure')
}

function describeExport({ it: test, using, abortLimitMs }: UserDataSuite): void {
  test(soundTitle, async ({ data }) => assertSound(checkUserData(data)))
  test('has no data of a new user', async ({ data, fill }) => {
    await fill('user-2')
    assert.deepEqual(await exported(data, 'user-1'), [])
    assert.deepEqual(await data.size('user-1', still), { records: 0, bytes: 0 })
    await data.erase('user-1', still)
  })
  test('exports plain records under unique relative paths', async ({ data, fill }) => {
    await fill('user-1')
    const records = await exported(data, 'user-1')
    assert.ok(records.length > 0, 'no data was exported for a user with data')
    for (const record of records) assertRecord(record)
    assert.equal(new Set(records.map(({ path }) => path)).size, records.length, 'two records have the same path')
  })
  test('exports every record of the user, and none of another', async (subject) => {
    const { data, fill } = subject
    await fill('user-1')
    const alone = await exported(data, 'user-1')
    await fill('user-2')
    const beside = await exported(data, 'user-1')
    assert.deepEqual(beside, alone, 'the export differs as soon as another user has data')
    const [own, foreign] = [await storedOf(subject, 'user-1'), await storedOf(subject, 'user-2')]
    assertComplete(beside, own, 'the export')
    assertOwn(beside, own, foreign, 'the export')
  })
  test('exports the same again, also after an export that was aborted or left', async ({ data, fill }) => {
    await fill('user-1')
    const whole = await exported(data, 'user-1')
    const controller = new AbortController()
    const aborted = exported(data, 'user-1', { signal: controller.signal })
    controller.abort(new Error('stopped'))
    await settleWithin(aborted, abortLimitMs, 'the export')
    for await (const _record of data.export('user-1', still)) break
    assert.deepEqual(await exported(data, 'user-1'), whole, 'the next export differs')
  })
  test('exports no secret', async ({ data, fill, secrets = [] }) => {
    await fill('user-1')
    const finder = createSecretFinder(secrets)
    for (const record of await exported(data, 'user-1')) finder.assertNone(JSON.stringify(record), record.path)
  })
  test('reports the size of the data', async ({ data, fill }) => {
    await fill('user-1')
    const { records, bytes } = await data.size('user-1', still)
    assert.ok(Number.isSafeInteger(records) && records > 0, `size returned ${records} records; expected a whole number above 0`)
    assert.ok(Number.isSafeInteger(bytes) && bytes > 0, `size returned ${bytes} bytes; expected a whole number above 0`)
  })
  test('reports the size of one user, whatever others have', async ({ data, fill }) => {
    await fill('user-1')
    const alone = await data.size('user-1', still)
    await fill('user-2')
    assert.deepEqual(await data.size('user-1', still), alone, 'the size differs as soon as another user has data')
    await using(async (other) => {
      await other.fill('user-2')
      await other.fill('user-1')
      const { records } = await other.data.size('user-1', still)
      assert.equal(records, alone.records, 'the size differs when another user had data before')
    })
  })
}
