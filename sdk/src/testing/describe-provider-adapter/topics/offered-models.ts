import { strict as assert } from 'node:assert'
import type { ProviderAdapter } from '../../../contracts/provider-adapter/adapter.js'
import type { OfferedModel } from '../../../contracts/provider-adapter/model-list.js'
import { assertPlainData } from '../../within-limit.js'
import { requestFor, type SuiteTopic } from '../support/suite-call.js'
import type { ProviderUpstream } from '../support/suite-options.js'

/** The list of models, of an adapter that declares it. */
export function describeOfferedModels({ runner, test, unchecked }: SuiteTopic): void {
  runner.describe('offered models', () => {
    test('text', 'are those of the upstream, each with an id of its own', async (adapter, upstream) => {
      if (adapter.supports.listModels !== true) return
      const { models } = upstream.expected
      // An upstream that does not say which it offers need not answer the question at all.
      if (models === undefined) return unchecked.without('expected.models', 'the offered models are the vendor’s')
      const { list, error } = await listed(adapter, upstream, new AbortController().signal)
      assert.ok(list, `the list failed: ${String(error)}`)
      assertPlainData(list, 'the list')
      const ids = list.map(({ id }) => id)
      assert.deepEqual([...new Set(ids)], ids, 'two models have the same id')
      assert.deepEqual(ids, models)
    })

    test('text', 'throw the reason of a signal that was aborted before, without a call', async (adapter, upstream) => {
      if (adapter.supports.listModels !== true) return
      const reason = new Error('stopped before')
      assert.equal((await listed(adapter, upstream, AbortSignal.abort(reason))).error, reason)
      assert.equal(upstream.calls(), 0)
    })
  })
}

async function listed(
  adapter: ProviderAdapter,
  upstream: ProviderUpstream,
  signal: AbortSignal,
): Promise<{ readonly list?: readonly OfferedModel[]; readonly error?: unknown }> {
  const { connection, timeouts } = requestFor(adapter, upstream)
  assert.ok(adapter.listModels, 'the adapter declares listModels, and has none')
  try {
    return { list: await adapter.listModels({ connection, timeouts }, { signal }) }
  } catch (error) {
    return { error }
  }
}
