import { strict as assert } from 'node:assert'
import { inspect } from 'node:util'
import { asProviderError, type CallOutcome, outcomeOf, requestFor, type SuiteTopic, within } from '../support/suite-call.js'
import type { ProviderUpstream } from '../support/suite-options.js'

/** How calls fail. */
export function describeFailures({ runner, options, test, testWire, unchecked, abortLimitMs }: SuiteTopic): void {
  runner.describe('failures', () => {
    test('cut-text', 'of a cut answer: its content, then truncated, never a complete answer', async (adapter, upstream) => {
      const { events, error } = await outcomeOf(adapter, requestFor(adapter, upstream))
      assert.ok(!events.some((event) => event.type === 'response.finished'), 'the cut answer succeeded')
      assert.equal(asProviderError(error).details['failure'], 'truncated')
      const text = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('')
      if (upstream.expected.text !== undefined) assert.equal(text, upstream.expected.text)
    })

    test('error', 'are provider errors of the right kind', async (adapter, upstream) => {
      const { details } = asProviderError((await outcomeOf(adapter, requestFor(adapter, upstream))).error)
      const { failure, retryable } = upstream.expected
      if (failure !== undefined) assert.equal(details['failure'], failure)
      if (retryable !== undefined) assert.equal(details['retryable'], retryable)
      if (failure === undefined) unchecked.without('expected.failure', 'a refusal has the right kind')
      if (retryable === undefined) unchecked.without('expected.retryable', 'a failure says whether the same call may succeed later')
    })

    test(
      'error-in-answer',
      'inside an answer with status 200: its content, then a provider error, never a complete answer',
      async (adapter, upstream) => {
        const { events, error } = await outcomeOf(adapter, requestFor(adapter, upstream))
        assert.ok(!events.some((event) => event.type === 'response.finished'), 'the failed answer succeeded')
        const { details } = asProviderError(error)
        if (upstream.expected.failure !== undefined) assert.equal(details['failure'], upstream.expected.failure)
        const text = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('')
        if (upstream.expected.text !== undefined) assert.equal(text, upstream.expected.text)
      },
    )

    test('error', 'name the connection and the model', async (adapter, upstream) => {
      const { details } = asProviderError((await outcomeOf(adapter, requestFor(adapter, upstream))).error)
      assert.deepEqual([details['connection'], details['model']], [upstream.connection.handle, upstream.model])
    })

    test('error', 'have a reason of at most 2,000 characters', async (adapter, upstream) => {
      const reason = asProviderError((await outcomeOf(adapter, requestFor(adapter, upstream))).error).details['reason']
      assert.ok(typeof reason === 'string' && reason.length > 0 && reason.length <= 2_000, 'the reason is missing or too long')
    })

    test('error', 'never contain the key', async (adapter, upstream) => {
      if (upstream.connection.apiKey === undefined) return unchecked.without('connection.apiKey', 'an error never contains the key')
      assertWithoutKey(await outcomeOf(adapter, requestFor(adapter, upstream)), upstream)
    })

    for (const scenario of ['cut-text', 'cut-tool-call', 'error-in-answer', 'silent'] as const) {
      test(scenario, `of ${scenario} never contain the key, nor do events`, async (adapter, upstream) => {
        const timeouts = { connectMs: 10_000, firstTokenMs: 150, idleMs: 10_000, totalMs: 10_000 }
        assertWithoutKey(await outcomeOf(adapter, requestFor(adapter, upstream, { timeouts })), upstream)
      })
    }

    testWire('error', 'are the caller’s to try again: no body is sent twice', async (adapter, upstream) => {
      const { error } = await outcomeOf(adapter, requestFor(adapter, upstream))
      assert.ok(error !== undefined, 'the call succeeded')
      const bodies = upstream.bodies()
      assert.equal(new Set(bodies).size, bodies.length, 'the same body was sent twice; whether a call is made again is the caller’s')
    })

    test('text', 'for an unsupported protocol, as bad_request and without a call', async (adapter, upstream) => {
      const { error } = await outcomeOf(adapter, requestFor(adapter, upstream, { protocol: 'no-such-protocol' }))
      assert.equal(asProviderError(error).details['failure'], 'bad_request')
      assert.equal(upstream.calls(), 0)
    })

    test('text', 'for extra parameters that touch a protected path, as bad_request and without a call', async (adapter, upstream) => {
      const path = adapter.protocols.find((protocol) => protocol.id === upstream.protocol)?.protectedPaths[0]
      if (path === undefined) return
      const extraParams = path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), 'changed') as Record<string, string>
      const { error } = await outcomeOf(adapter, requestFor(adapter, upstream, { extraParams }))
      assert.equal(asProviderError(error).details['failure'], 'bad_request')
      assert.equal(upstream.calls(), 0)
    })

    test('text', 'of a model that may not exist: a provider error, if it fails', async (adapter, upstream) => {
      const { error } = await outcomeOf(adapter, requestFor(adapter, upstream, { model: 'no-such-model-of-the-suite' }))
      if (error !== undefined) asProviderError(error)
    })

    test('text', 'of texts that are empty: a provider error, if it fails', async (adapter, upstream) => {
      const { error } = await outcomeOf(
        adapter,
        requestFor(adapter, upstream, { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }),
      )
      if (error !== undefined) asProviderError(error)
    })

    test('silent', 'by the limit for the first token', async (adapter, upstream) => {
      const timeouts = { connectMs: 10_000, firstTokenMs: 100, idleMs: 10_000, totalMs: 10_000 }
      const { error } = await outcomeOf(adapter, requestFor(adapter, upstream, { timeouts }))
      assert.equal(asProviderError(error).details['failure'], 'timeout')
      await within(upstream.idle(), abortLimitMs, 'ending the upstream request after its limit')
    })

    // An adapter whose upstream is never silent has no limits to keep.
    const limits = options.scenarios.includes('silent')
      ? ([
          ['idleMs', 'between two pieces'],
          ['totalMs', 'of the whole call'],
        ] as const)
      : []
    for (const [limit, what] of limits) {
      test('endless', `by the limit ${what}, after what came`, async (adapter, upstream) => {
        const timeouts = { connectMs: 10_000, firstTokenMs: 10_000, idleMs: 10_000, totalMs: 15_000, [limit]: 150 }
        const { events, error } = await outcomeOf(adapter, requestFor(adapter, upstream, { timeouts }))
        assert.equal(asProviderError(error).details['failure'], 'timeout')
        assert.ok(!events.some((event) => event.type === 'response.finished'), 'the answer that did not end succeeded')
        await within(upstream.idle(), abortLimitMs, 'ending the upstream request after its limit')
      })
    }
  })
}

function assertWithoutKey({ events, error }: CallOutcome, { connection: { apiKey } }: ProviderUpstream): void {
  if (apiKey === undefined) return
  assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes(apiKey), 'the error contains the key')
  assert.ok(!JSON.stringify(events).includes(apiKey), 'an event contains the key')
}
