import { strict as assert } from 'node:assert'
import { inspect } from 'node:util'
import type { ProviderAdapter } from '../../../contracts/provider-adapter/adapter.js'
import type { EmbeddingRequest, EmbeddingResult } from '../../../contracts/provider-adapter/embedding.js'
import { playEmbeddings, textWithLongVector, textWithoutVector } from '../support/embedding-play.js'
import { asProviderError, type SuiteTopic, within } from '../support/suite-call.js'
import type { ProviderUpstream } from '../support/suite-options.js'

const texts = ['The first text.', 'Ein zweiter, größerer Text 👋', 'x', 'The first text, but longer.', '第五个文本']

/** Vectors of texts, if the adapter supports them. */
export function describeEmbedding(topic: SuiteTopic): void {
  const { runner, options, abortLimitMs } = topic
  if (options.create().supports.embed !== true) return
  const { test } = topic
  runner.describe('embedding', () => {
    test('embed', 'returns one vector for each text, in their order', async (adapter, upstream) => {
      const { vectors, model, usage } = await embedWith(adapter, upstream, { inputs: texts })
      assert.deepEqual(vectors, playEmbeddings(texts))
      assert.ok(model.length > 0, 'the model has no name')
      assert.ok(Number.isInteger(usage.input_tokens) && usage.input_tokens >= 0, 'the tokens are not a whole number')
    })

    test('embed', 'makes as many calls as needed, and keeps the order across them', async (adapter, upstream) => {
      const inputs = Array.from({ length: 150 }, (_, index) => `Text ${index} of many`)
      assert.deepEqual((await embedWith(adapter, upstream, { inputs })).vectors, playEmbeddings(inputs))
    })

    test('embed', 'does not mix requests that run at the same time', async (adapter, upstream) => {
      const asked = texts.map((text) => [text, `${text} again`])
      const results = await Promise.all(asked.map((inputs) => embedWith(adapter, upstream, { inputs })))
      assert.deepEqual(
        results.map(({ vectors }) => vectors),
        asked.map(playEmbeddings),
      )
    })

    for (const [what, changes] of [
      ['no text', { inputs: [] }],
      ['an empty text', { inputs: ['a', ' \n', 'b'] }],
      ['an invalid length', { dimensions: 0 }],
      ['an unsupported protocol', { protocol: 'no-such-protocol' }],
    ] as const) {
      test('embed', `refuses ${what} as bad_request and without a call`, async (adapter, upstream) => {
        assert.equal((await failureOf(adapter, upstream, changes)).details['failure'], 'bad_request')
        assert.equal(upstream.calls(), 0)
      })
    }

    for (const [what, changes] of [
      ['a missing vector', { inputs: ['a', textWithoutVector, 'b'] }],
      ['vectors of different lengths', { inputs: ['a', textWithLongVector] }],
      ['vectors of another length than requested', { dimensions: 5 }],
    ] as const) {
      test('embed', `fails with invalid_response for ${what}`, async (adapter, upstream) => {
        assert.equal((await failureOf(adapter, upstream, changes)).details['failure'], 'invalid_response')
      })
    }

    test(
      'error',
      'fails with provider errors of the right kind, with connection and model and without the key',
      async (adapter, upstream) => {
        const error = await failureOf(adapter, upstream)
        const { failure, retryable } = upstream.expected
        if (failure !== undefined) assert.equal(error.details['failure'], failure)
        if (retryable !== undefined) assert.equal(error.details['retryable'], retryable)
        assert.deepEqual(
          [error.details['connection'], error.details['model']],
          [upstream.connection.handle, upstream.embeddingModel ?? upstream.model],
        )
        const { apiKey } = upstream.connection
        if (apiKey !== undefined) assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes(apiKey), 'the error contains the key')
      },
    )

    test('silent', 'ends by its limits', async (adapter, upstream) => {
      const timeouts = { connectMs: 10_000, firstTokenMs: 100, idleMs: 10_000, totalMs: 10_000 }
      assert.equal((await failureOf(adapter, upstream, { timeouts })).details['failure'], 'timeout')
    })

    test('silent', 'ends at once when it is aborted, with the reason, upstream too', async (adapter, upstream) => {
      const controller = new AbortController()
      const reason = new Error('left')
      const ending = outcomeOf(adapter, upstream, {}, controller.signal)
      while (upstream.calls() === 0) await new Promise((resolve) => setImmediate(resolve))
      controller.abort(reason)
      assert.equal((await within(ending, abortLimitMs, 'the end of the request')).error, reason)
      await within(upstream.idle(), abortLimitMs, 'the end upstream')
    })

    test('embed', 'makes no call with an aborted signal', async (adapter, upstream) => {
      const reason = new Error('left')
      assert.equal((await outcomeOf(adapter, upstream, {}, AbortSignal.abort(reason))).error, reason)
      assert.equal(upstream.calls(), 0)
    })
  })
}

async function embedWith(
  adapter: ProviderAdapter,
  upstream: ProviderUpstream,
  changes: Partial<EmbeddingRequest>,
  signal: AbortSignal = new AbortController().signal,
): Promise<EmbeddingResult> {
  assert.ok(adapter.embed, 'it has no embed')
  const { connection, protocol, embeddingModel: model = upstream.model } = upstream
  const timeouts = { connectMs: 10_000, firstTokenMs: 10_000, idleMs: 10_000, totalMs: 15_000 }
  return await adapter.embed({ connection, protocol, model, inputs: texts, timeouts, ...changes }, { signal })
}

async function outcomeOf(...call: Parameters<typeof embedWith>): Promise<{ readonly error: unknown }> {
  return embedWith(...call).then(
    () => ({ error: undefined }),
    (error: unknown) => ({ error }),
  )
}

const failureOf = async (adapter: ProviderAdapter, upstream: ProviderUpstream, changes: Partial<EmbeddingRequest> = {}) =>
  asProviderError((await outcomeOf(adapter, upstream, changes)).error)
