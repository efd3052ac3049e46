import { strict as assert } from 'node:assert'
import type { HandOverItem, UserData, UserDataRecord } from '../../contracts/user-data/index.js'
import { createSecretFinder } from '../secret-finder.js'
import { abortAfter, whenOf } from './erasing.js'
import { assertComplete, assertOwn, assertRecord, exported, still, storedOf } from './records.js'
import type { UserDataSuite } from './suite-options.js'

const outcomes: readonly string[] = ['ended', 'set_aside', 'kept']
const name = 'before-2026-01-01-5f3a'

/** What a hand-over did. */
interface HandedOver {
  readonly items: readonly HandOverItem[]
  /** What it set aside. */
  readonly copies: readonly UserDataRecord[]
}

/** Rules for a new holder of the account. */
export function describeHandingOver({ it: test, using, abortLimitMs }: UserDataSuite): void {
  test('hands over, repeatedly, and nothing of others', async ({ data, fill }) => {
    if (!data.handOver) return
    await fill('user-1')
    await fill('user-2')
    const others = await exported(data, 'user-2')
    await assertHandedOver(data, 'user-1', 'the first')
    assert.deepEqual(await exported(data, 'user-2'), others, 'the data of another user changed')
    for (const { count } of (await handedOver(data, 'user-3')).items) assert.equal(count, 0, 'it found something of a new user')
  })
  test('hands over what it says: whole copies, nothing of others, and nothing is lost unsaid', async (subject) => {
    const { data, fill, secrets = [] } = subject
    if (!data.handOver) return
    await fill('user-1')
    await fill('user-2')
    const [own, foreign] = [await storedOf(subject, 'user-1'), await storedOf(subject, 'user-2')]
    const { items, copies } = await handedOver(data, 'user-1')
    assertOwn(copies, own, foreign, 'what was set aside')
    createSecretFinder(secrets).assertNone(JSON.stringify(copies), 'what was set aside')
    const ended = items.some(({ outcome, count }) => outcome === 'ended' && count > 0)
    if (!ended) assertComplete([...copies, ...(await exported(data, 'user-1'))], own, 'what was set aside, nor in the data that is left')
    assert.deepEqual(await storedOf(subject, 'user-2'), foreign, 'the stored data of another user changed')
  })
  test('leaves nothing that acts for the former holder', async ({ data, fill, acting }) => {
    if (!data.handOver || typeof acting !== 'function') return
    await fill('user-1')
    await fill('user-2')
    const [own, others] = [structuredClone(await acting('user-1')), structuredClone(await acting('user-2'))]
    assert.ok(own.length > 0, 'fill stores nothing that acts; store something, or say “not applicable” in “acting”')
    await handedOver(data, 'user-1')
    assert.deepEqual(await acting('user-1'), [], 'this still acts for the former holder')
    assert.deepEqual(await acting('user-2'), others, 'what acts for another user changed')
  })
  test('hands over the rest when it is called again after an abort', async () => {
    for (const turns of [-1, 0, 1, 3, 8])
      await using(async ({ data, fill }) => {
        if (!data.handOver) return
        await fill('user-1')
        const copies: UserDataRecord[] = []
        const isDone = await abortAfter(turns, (signal) => handOver(data, 'user-1', { copies, signal }), abortLimitMs)
        if (isDone) assertNothingLeft((await handedOver(data, 'user-1')).items, `one aborted ${whenOf(turns)} that ended as if it was done`)
        else await assertHandedOver(data, 'user-1', `one aborted ${whenOf(turns)} and another one`)
      })
  })
  test('takes nothing away that could not be set aside', async ({ data, fill }) => {
    if (!data.handOver) return
    await fill('user-1')
    const before = await exported(data, 'user-1')
    const refused = new Error('the disk is full')
    let asked = 0
    const setAside = async (): Promise<void> => {
      asked += 1
      throw refused
    }
    const outcome = await data.handOver('user-1', { ...still, name, setAside }).then(
      () => 'went on',
      () => 'failed',
    )
    if (asked === 0) return
    assert.equal(outcome, 'failed', 'a copy could not be kept, and the hand-over went on')
    const after = new Set((await exported(data, 'user-1')).map(({ path }) => path))
    const { copies } = await handedOver(data, 'user-1')
    const lost = before.filter(({ path }) => !after.has(path))
    assert.ok(lost.length === 0 || copies.length > 0, 'what could not be set aside is gone')
  })
}

/** Hands over, and fails if a second hand-over finds something that the first should have taken away. */
export async function assertHandedOver(data: UserData, userId: string, first: string): Promise<void> {
  await handedOver(data, userId)
  assertNothingLeft((await handedOver(data, userId)).items, first)
}

function assertNothingLeft(items: readonly HandOverItem[], earlier: string): void {
  for (const { what, count, outcome } of items)
    assert.ok(outcome === 'kept' || count === 0, `a second hand-over found ${count} ${what} that were to be ${outcome} by ${earlier}`)
}

async function handedOver(data: UserData, userId: string): Promise<HandedOver> {
  const copies: UserDataRecord[] = []
  const items = await handOver(data, userId, { copies })
  for (const { what, count, outcome } of items) {
    assert.ok(what.trim() !== '' && what.length <= 60, `“${what}” does not say in a few words what it is`)
    assert.ok(Number.isSafeInteger(count) && count >= 0, `the count of ${what} is ${count}`)
    assert.ok(outcomes.includes(outcome), `the outcome of ${what} is ${outcome}; expected one of ${outcomes.join(', ')}`)
  }
  const expected = items.filter(({ outcome }) => outcome === 'set_aside').reduce((sum, { count }) => sum + count, 0)
  assert.ok(copies.length >= expected, `${expected} things were set aside, and ${copies.length} copies kept`)
  return { items, copies }
}

async function handOver(
  data: UserData,
  userId: string,
  { copies, signal = still.signal }: { readonly copies: UserDataRecord[]; readonly signal?: AbortSignal },
): Promise<readonly HandOverItem[]> {
  const setAside = async (record: UserDataRecord): Promise<void> => {
    assertRecord(record)
    copies.push(structuredClone(record))
  }
  const items = await data.handOver?.(userId, { signal, name, setAside })
  assert.ok(Array.isArray(items), `the hand-over returned ${String(items)}; expected a list`)
  return items
}
