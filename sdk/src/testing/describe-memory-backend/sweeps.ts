import { strict as assert } from 'node:assert'
import { settleWithin } from '../settle-within.js'
import { assertPlainData, isWithin } from '../within-limit.js'
import { ada, assistant, bob } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

const day = 86_400_000

/** Background work, and what people see of it. */
export function describeSweeps({ it, options: { supports, abortLimitMs } }: MemorySuite): void {
  it('keeps few memories, and what people pinned and corrected, over a day of sweeps', async (bench) => {
    const { backend, signal, remember, texts, advance, sweepAll } = bench
    const pinned = await remember('Sage: pinned')
    await backend.change(pinned, { pinned: true }, { userId: ada, signal })
    const corrected = await remember('Sage: wrong')
    await backend.change(corrected, { text: 'Sage: corrected' }, { userId: ada, signal })
    await remember('Sage: remembered')
    for (let hour = 0; hour < 24; hour += 6) {
      await advance(day / 4)
      await sweepAll()
    }
    assert.deepEqual(await texts(), ['Sage: corrected', 'Sage: pinned', 'Sage: remembered'])
  })

  if (supports.sweep)
    it('ends a sweep that is aborted, and sweeps again', async ({ backend, signal, remember, sweepAll, advance, texts }) => {
      for (const userId of [ada, bob]) await remember('Thyme', { userId })
      const change = { chatId: 'chat-1', agentId: assistant, spaceId: null, reason: 'messages', at: new Date(0).toISOString() } as const
      for (const userId of [ada, bob]) await backend.chatChanged({ ...change, userId }, { signal })
      await advance(day)
      const controller = new AbortController()
      const work = backend.sweep?.({ signal: controller.signal }) ?? assert.fail('there is no sweep')
      controller.abort(new Error('aborted by the suite'))
      await settleWithin(work, abortLimitMs, 'the sweep')
      await sweepAll()
      assert.deepEqual(await texts(), ['Thyme'])
    })

  if (supports.passes)
    it('shows passes in the form of the contract', async ({ backend, signal }) => {
      const page = await backend.passes?.(ada, { limit: 10, signal })
      assertPlainData(page, 'the page')
      assert.deepEqual(page?.items, [])
      const error = await backend.passes?.(ada, { limit: 10, cursor: 'nonsense', signal }).catch((reason: unknown) => reason)
      assert.equal((error as { readonly code?: string }).code, 'cursor_invalid')
    })

  if (supports.revisions)
    it('shows revisions in the form of the contract', async ({ backend, signal }) => {
      const revisions = (await backend.revisions?.(ada, { signal })) ?? assert.fail('there are no revisions')
      assertPlainData(revisions, 'the revisions')
      assert.ok(isWithin(revisions.length, 0, 100))
    })
}
