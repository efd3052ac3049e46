import { strict as assert } from 'node:assert'
import { setTimeout } from 'node:timers/promises'
import type { VaultConnection } from '../../contracts/vault-connector/vault-connector.js'
import { endsWithin } from '../within-limit.js'
import { firstOf, type SuiteBench, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'

type Calls = Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>

/** Every call of a connector but writes. */
const callsOf = ({ connector }: SuiteBench, connection: VaultConnection, id: string): Calls => ({
  test: (signal) => connector.test(connection, { signal }),
  list: (signal) => connector.list(connection, { limit: 10 }, { signal }),
  read: (signal) => connector.read(connection, id, { signal }),
  ...(connector.renew && { renew: async (signal) => connector.renew?.(connection, { signal }) }),
})

/** Aborts and concurrent calls. */
export function describeCalls({ it, options: { abortLimitMs, faults } }: VaultSuite): void {
  it('rejects a call that was aborted before with the reason of the abort', async (bench) => {
    const { id } = await bench.find(firstOf(bench.account).title)
    const reason = new Error('stopped by the suite')
    for (const [name, call] of Object.entries(callsOf(bench, bench.connection, id)))
      assert.equal(await reasonOf(call(AbortSignal.abort(reason))), reason, `${name} did not reject with the reason`)
  })

  it('ends aborted calls, and goes on with others', async (bench) => {
    const { id } = await bench.find(firstOf(bench.account).title)
    await bench.connector.close?.(bench.connection.id)
    const controller = new AbortController()
    const reason = new Error('stopped by the suite')
    const aborted = Object.entries(callsOf(bench, bench.connection, id)).map(([name, call]) => ({ name, work: call(controller.signal) }))
    const beside = bench.connector.read(bench.connection, id, { signal: bench.signal })
    await setTimeout(1)
    controller.abort(reason)
    for (const { name, work } of aborted) {
      await endsWithin(work, abortLimitMs, `${name} continued`)
      const error = await reasonOf(work)
      assert.ok(error === undefined || error === reason, `${name} failed with something else than the reason of its abort`)
    }
    assert.deepEqual(valuesOf((await beside).fields), valuesOf(firstOf(bench.account).fields), 'the call beside the aborted ones')
  })

  if (faults.includes('silent'))
    it('ends aborted calls at once although the store never answers, with the reason of the abort', async (bench) => {
      const { id } = await bench.find(firstOf(bench.account).title)
      await bench.break('silent')
      for (const [name, call] of Object.entries(callsOf(bench, bench.connection, id))) {
        const controller = new AbortController()
        const reason = new Error('stopped by the suite')
        const work = call(controller.signal)
        work.catch(() => undefined)
        await setTimeout(20)
        controller.abort(reason)
        await endsWithin(work, abortLimitMs, `${name} continued`)
        assert.equal(await reasonOf(work), reason, `${name} did not reject with the reason`)
      }
    })

  it('answers many calls at the same time', async (bench) => {
    const { account, other, connector, signal } = bench
    const known = [account, other].flatMap((each) => each.items.map((item) => ({ item, connection: each.connection })))
    const ids = await Promise.all(known.map(({ item, connection }) => bench.find(item.title, connection)))
    const calls = Array.from({ length: 24 }, (_, index) => index % known.length)
    const answers = await Promise.all(
      calls.map(async (index) => connector.read(known[index]?.connection ?? bench.connection, ids[index]?.id ?? '', { signal })),
    )
    for (const [index, { fields }] of answers.entries())
      assert.deepEqual(valuesOf(fields), valuesOf(known[calls[index] ?? 0]?.item.fields ?? []))
  })

  it('leaves its input as it is', async (bench) => {
    const members = Object.freeze(structuredClone(bench.connection.members))
    const connection = Object.freeze({ ...bench.connection, members })
    const { signal } = bench
    await bench.connector.test(connection, { signal })
    const { items } = await bench.connector.list(connection, Object.freeze({ limit: 3, text: 'a' }), { signal })
    for (const { id } of items) await bench.connector.read(connection, id, { signal })
    assert.deepEqual(members, bench.connection.members)
  })
}

/** What work failed with; undefined if it did not. */
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
