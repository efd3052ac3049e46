import { strict as assert } from 'node:assert'
import type { HandOverItem, UserData, UserDataRecord } from '../../contracts/user-data/index.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** The user data under test, with its own store. */
export interface UserDataSubject {
  /** The contribution. */
  readonly data: UserData
  /** Stores data of a user: at least two records. */
  fill(userId: string): Promise<void>
  /** Closes what was opened. */
  close?(): Promise<void>
}

/** The options of {@link describeUserData}. */
export interface UserDataSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the subject, empty. Called for each test. */
  create(): UserDataSubject | Promise<UserDataSubject>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of aborted work, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

const members = ['specVersion', 'id', 'collections', 'shownBy', 'export', 'erase', 'size', 'handOver']
const still = { signal: new AbortController().signal }

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
 *   create: () => ({ data, fill: async (userId) => void visits.set(userId, 1) }),
 * })
 */
export function describeUserData({ name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 }: UserDataSuiteOptions): void {
  const test = (title: string, body: (subject: UserDataSubject) => Promise<void>): void =>
    runner.it(title, async () => {
      const subject = await create()
      try {
        await body(subject)
      } finally {
        await subject.close?.()
      }
    })

  runner.describe(`user data ${name}`, () => {
    test('has specVersion 1, an id, its collections, and nothing unknown', async ({ data }) => {
      assert.equal(data.specVersion, 1)
      assert.ok(data.id.trim() !== '', 'the id is empty')
      assert.ok(Array.isArray(data.collections), 'collections is not a list')
      assertMembers(data, members, 'the contribution')
    })
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
      for (const { path, json } of records) {
        assert.ok(isRelative(path), `the path “${path}” is not relative, or leaves the folder`)
        assert.deepEqual(JSON.parse(JSON.stringify(json)), json, `${path} is not plain JSON`)
      }
      assert.equal(new Set(records.map(({ path }) => path)).size, records.length, 'two records have the same path')
    })
    test('reports the size of the data', async ({ data, fill }) => {
      await fill('user-1')
      const { records, bytes } = await data.size('user-1', still)
      assert.ok(Number.isSafeInteger(records) && records > 0, `size returned ${records} records; expected a whole number above 0`)
      assert.ok(Number.isSafeInteger(bytes) && bytes > 0, `size returned ${bytes} bytes; expected a whole number above 0`)
    })
    test('erases all data of one user, repeatedly, and nothing of others', async ({ data, fill }) => {
      await fill('user-1')
      await fill('user-2')
      const others = await exported(data, 'user-2')
      for (const _time of [1, 2]) await data.erase('user-1', still)
      assert.deepEqual(await exported(data, 'user-1'), [], 'some data was left')
      assert.equal((await data.size('user-1', still)).records, 0, 'size still counts erased data')
      assert.deepEqual(await exported(data, 'user-2'), others, 'the data of another user changed')
    })
    test('hands over, repeatedly, and nothing of others', async ({ data, fill }) => {
      if (!data.handOver) return
      await fill('user-1')
      await fill('user-2')
      const others = await exported(data, 'user-2')
      await handedOver(data, 'user-1')
      for (const { what, count, outcome } of await handedOver(data, 'user-1'))
        assert.ok(outcome === 'kept' || count === 0, `a second hand-over found ${count} ${what} that were to be ${outcome} by the first`)
      assert.deepEqual(await exported(data, 'user-2'), others, 'the data of another user changed')
      for (const { count } of await handedOver(data, 'user-3')) assert.equal(count, 0, 'it found something of a new user')
    })
    test('ends when it is aborted', async ({ data, fill }) => {
      await fill('user-1')
      for (const work of [exported, (given: UserData, userId: string, options: typeof still) => given.erase(userId, options)]) {
        const controller = new AbortController()
        const running = work(data, 'user-1', { signal: controller.signal })
        controller.abort(new Error('stopped'))
        await settleWithin(running, abortLimitMs, 'the work')
      }
    })
  })
}

async function exported(data: UserData, userId: string, options: typeof still = still): Promise<readonly UserDataRecord[]> {
  const records: UserDataRecord[] = []
  for await (const record of data.export(userId, options)) records.push(record)
  return records
}

const outcomes: readonly string[] = ['ended', 'set_aside', 'kept']

async function handedOver(data: UserData, userId: string): Promise<readonly HandOverItem[]> {
  const paths: string[] = []
  const setAside = async ({ path, json }: UserDataRecord): Promise<void> => {
    assert.ok(isRelative(path), `the path “${path}” is not relative, or leaves the folder`)
    assert.deepEqual(JSON.parse(JSON.stringify(json)), json, `${path} is not plain JSON`)
    paths.push(path)
  }
  const items = (await data.handOver?.(userId, { ...still, name: 'before-2026-01-01-5f3a', setAside })) ?? []
  for (const { what, count, outcome } of items) {
    assert.ok(what.trim() !== '' && what.length <= 60, `“${what}” does not say in a few words what it is`)
    assert.ok(Number.isSafeInteger(count) && count >= 0, `the count of ${what} is ${count}`)
    assert.ok(outcomes.includes(outcome), `the outcome of ${what} is ${outcome}; expected one of ${outcomes.join(', ')}`)
  }
  const copies = items.filter(({ outcome }) => outcome === 'set_aside').reduce((sum, { count }) => sum + count, 0)
  assert.ok(paths.length >= copies, `${copies} things were set aside, and ${paths.length} copies kept`)
  return items
}

const isRelative = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
