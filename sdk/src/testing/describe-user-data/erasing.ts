import { strict as assert } from 'node:assert'
import type { UserData } from '../../contracts/user-data/index.js'
import { pass } from '../event-loop-turns.js'
import { settleWithin } from '../settle-within.js'
import { exported, still, storedOf } from './records.js'
import type { UserDataSubject, UserDataSuite } from './suite-options.js'

/** The turns of the event loop after which an erasure is aborted: before it begins, and at its steps. */
const turnsBeforeAbort = [-1, 0, 1, 2, 3, 5, 8, 13] as const

/** Rules for the erasure of one user's data. */
export function describeErasing({ it: test, using, abortLimitMs }: UserDataSuite): void {
  test('erases all data of one user, repeatedly, and nothing of others', async ({ data, fill }) => {
    await fill('user-1')
    await fill('user-2')
    const others = await exported(data, 'user-2')
    for (const _time of [1, 2]) await data.erase('user-1', still)
    assert.deepEqual(await exported(data, 'user-1'), [], 'some data was left')
    assert.equal((await data.size('user-1', still)).records, 0, 'size still counts erased data')
    assert.deepEqual(await exported(data, 'user-2'), others, 'the data of another user changed')
  })
  test('leaves nothing in the store of what it erases, and everything of others', async (subject) => {
    await subject.fill('user-1')
    await subject.fill('user-2')
    const others = await storedOf(subject, 'user-2')
    await subject.data.erase('user-1', still)
    assert.deepEqual(await storedOf(subject, 'user-1'), [], 'some data was left in the store')
    assert.deepEqual(await storedOf(subject, 'user-2'), others, 'the stored data of another user changed')
  })
  test('erases the rest when it is called again after an abort', async () => {
    for (const turns of turnsBeforeAbort)
      await using(async (subject) => {
        const { data, fill, restarted } = subject
        await fill('user-1')
        await fill('user-2')
        const others = await exported(data, 'user-2')
        await abortAfter(turns, (signal) => data.erase('user-1', { signal }), abortLimitMs)
        const next = typeof restarted === 'function' ? await restarted() : data
        await next.erase('user-1', still)
        await assertErased(subject, `aborted ${whenOf(turns)} and called again, it`)
        assert.deepEqual(await exported(data, 'user-2'), others, 'the data of another user changed')
      })
  })
  test('has erased everything when it ends without an error, aborted or not', async () => {
    for (const turns of turnsBeforeAbort)
      await using(async (subject) => {
        const { data, fill } = subject
        await fill('user-1')
        const isDone = await abortAfter(turns, (signal) => data.erase('user-1', { signal }), abortLimitMs)
        if (isDone) await assertErased(subject, `aborted ${whenOf(turns)}, it ended as if it was done, so that it is not called again, and`)
      })
  })
  test('erases what a user stores again after an erasure', async ({ data, fill }) => {
    await fill('user-1')
    await data.erase('user-1', still)
    await fill('user-1')
    assert.ok((await exported(data, 'user-1')).length > 0, 'what was stored again is not exported')
    await data.erase('user-1', still)
    assert.deepEqual(await exported(data, 'user-1'), [], 'some data was left')
  })
}

/** Begins work and aborts it after some turns; -1: before. Waits for its end, and says whether it was one without an error. */
export async function abortAfter(turns: number, work: (signal: AbortSignal) => Promise<unknown>, limitMs: number): Promise<boolean> {
  const controller = new AbortController()
  if (turns < 0) controller.abort(new Error('stopped'))
  let isDone = false
  const running = (async () => {
    await work(controller.signal)
    isDone = true
  })()
  running.catch(() => undefined)
  await pass(Math.max(0, turns))
  controller.abort(new Error('stopped'))
  await settleWithin(running, limitMs, 'the work')
  return isDone
}

export const whenOf = (turns: number): string => (turns < 0 ? 'before it began' : `after ${turns} turns of the event loop`)

async function assertErased(subject: UserDataSubject, what: string): Promise<void> {
  const { data }: { readonly data: UserData } = subject
  assert.deepEqual(await exported(data, 'user-1'), [], `${what} left something`)
  assert.deepEqual(await storedOf(subject, 'user-1'), [], `${what} left something in the store`)
  assert.equal((await data.size('user-1', still)).records, 0, 'size still counts erased data')
}
