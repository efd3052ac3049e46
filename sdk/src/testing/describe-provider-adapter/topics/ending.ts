import { strict as assert } from 'node:assert'
import { outcomeOf, requestFor, type SuiteTopic, within } from '../support/suite-call.js'

/** Aborted calls. */
export function describeEnding({ runner, test, abortLimitMs }: SuiteTopic): void {
  runner.describe('ending', () => {
    test('text', 'before the call: throws the reason of the signal without a call', async (adapter, upstream) => {
      const reason = new Error('stopped before')
      const { error, events } = await outcomeOf(adapter, requestFor(adapter, upstream), AbortSignal.abort(reason))
      assert.equal(error, reason)
      assert.deepEqual(events, [])
      assert.equal(upstream.calls(), 0)
    })

    test('endless', 'in the middle: throws the reason of the signal at once', async (adapter, upstream) => {
      const controller = new AbortController()
      const reason = new Error('stopped in the middle')
      const run = async (): Promise<unknown> => {
        try {
          for await (const event of adapter.call(requestFor(adapter, upstream), { signal: controller.signal })) {
            if (event.type !== 'response.started') controller.abort(reason)
          }
          return undefined
        } catch (error) {
          return error
        }
      }
      assert.equal(await within(run(), abortLimitMs, 'the abort'), reason)
      await within(upstream.idle(), abortLimitMs, 'ending the upstream request after the abort')
    })

    for (const stream of [true, false]) {
      test(
        'silent',
        `before anything came, ${stream ? 'streamed' : 'in one piece'}: throws the reason at once, and ends the upstream request`,
        async (adapter, upstream) => {
          if (stream && !adapter.supports.streaming) return
          const controller = new AbortController()
          const reason = new Error('stopped before anything came')
          const ending = outcomeOf(adapter, requestFor(adapter, upstream, { stream }), controller.signal)
          while (upstream.calls() === 0) await new Promise((resolve) => setImmediate(resolve))
          controller.abort(reason)
          assert.equal((await within(ending, abortLimitMs, 'the abort')).error, reason)
          await within(upstream.idle(), abortLimitMs, 'ending the upstream request after the abort')
        },
      )
    }

    test('endless', 'in the middle: ends the upstream request', async (adapter, upstream) => {
      const controller = new AbortController()
      for await (const event of adapter.call(requestFor(adapter, upstream), { signal: controller.signal })) {
        if (event.type !== 'response.started') break
      }
      await within(upstream.idle(), abortLimitMs, 'ending the upstream request after its iteration was left')
    })
  })
}
