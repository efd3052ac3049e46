import type { JsonObject } from '@agent-service/sdk'
import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { answerFallback } from './calls/answer-fallback.js'
import { answer, createScriptedAdapter, failure, groupOf, type Script, started, textDelta } from './test-support/fakes.js'
import { infer, startPlugin, workConnection } from './test-support/start-plugin.js'

const providers = {
  work: workConnection,
  spare: { ...workConnection, api_key: 'key-of-spare' },
  off: { ...workConnection, enabled: false },
}
const entry = (provider: string, model: string, changes: JsonObject = {}): JsonObject => ({
  provider,
  model,
  extra_params: {},
  fallbacks: [],
  ...changes,
})
const noRetry = { max_retries: 0, initial_backoff_ms: 0, backoff_multiplier: 1, max_backoff_ms: 60_000 }
const group = (fallbacks: readonly JsonObject[], changes: JsonObject = {}) => ({
  primary: groupOf({ fallbacks, retry: noRetry, ...changes }),
})

/** Starts the plugin with one script per call, and runs an inference. */
async function run(scripts: readonly Script[], models: JsonObject) {
  const adapter = createScriptedAdapter(scripts)
  const plugin = await startPlugin({ providers, models, adapters: [adapter] })
  const outcome = await infer(plugin.inference)
  const called = adapter.requests.map(({ connection, model }) => `${connection.handle} ${model}`)
  return { ...outcome, ...plugin, adapter, called }
}
const fails = (kind: ProviderFailure, retryable = false): Script => [failure(kind, retryable)]

describe('fallbacks of a model group', () => {
  it('are called in order, depth first, each with its own settings', async () => {
    const models = group(
      [
        entry('spare', 'one', { temperature: 0.2, fallbacks: [entry('work', 'one-a')] }),
        entry('spare', 'two', { max_tokens: 7, seed: 1, extra_params: { user: 'x' } }),
      ],
      { temperature: 1, max_tokens: 50 },
    )
    const { called, adapter, types, error } = await run([...Array.from({ length: 3 }, () => fails('authentication')), answer], models)
    expect(error).to.equal(undefined)
    expect(called).to.deep.equal(['work model-1', 'spare one', 'work one-a', 'spare two'])
    expect(adapter.requests.map(({ settings }) => settings)).to.deep.equal([
      { temperature: 1, max_tokens: 50 },
      { temperature: 0.2 },
      {},
      { max_tokens: 7, seed: 1 },
    ])
    expect(adapter.requests[3]?.extraParams).to.deep.equal({ user: 'x' })
    expect(types.filter((type) => type === 'attempt.fallback')).to.have.length(3)
  })

  it('are reported, with the reason and the next target', async () => {
    const { events } = await run([fails('quota_exceeded'), answer], group([entry('spare', 'one')]))
    expect(events.find(({ type }) => type === 'attempt.fallback')).to.deep.equal({
      type: 'attempt.fallback',
      attempt: 1,
      provider: 'work',
      model: 'model-1',
      next: { provider: 'spare', model: 'one' },
      failure: 'quota_exceeded',
      reason: 'It was quota_exceeded.',
    })
    expect(events.filter(({ type }) => type === 'attempt.started').map((event) => 'fallback' in event && event.fallback)).to.deep.equal([
      0, 1,
    ])
  })

  it('are named by the answer: the model that was wanted, the one that answered, and the first reason', async () => {
    const finished = async (scripts: readonly Script[], models: JsonObject) =>
      (await run(scripts, models)).events.find(({ type }) => type === 'response.finished')
    const spares = group([entry('spare', 'one'), entry('spare', 'two')])
    expect(await finished([fails('quota_exceeded'), fails('model_not_found'), answer], spares)).to.have.deep.property('fallback', {
      ...{ reason: 'model_failed', wanted: 'work/model-1', used: 'spare/two' },
      ...{ failure: 'quota_exceeded', detail: 'It was quota_exceeded.' },
    })
    expect(await finished([answer], spares)).to.not.have.property('fallback')
  })

  it('are named with their reason in one line, in full characters, however the vendor put it', () => {
    const detailOf = (reason: string) => {
      const failure = providerError.create({ failure: 'overloaded', retryable: true, connection: 'work', model: 'm', reason })
      const target = { settings: { provider: 'work', model: 'm' } } as never
      return answerFallback(undefined, { target, next: target, failure }).detail
    }
    expect(detailOf('{\n  "error": "busy"\r\n}\u2028 ')).to.equal('{ "error": "busy" }')
    expect(detailOf(`${'x'.repeat(298)}\u{1F600}y`)).to.equal(`${'x'.repeat(298)}\u{FFFD}…`)
  })

  it('use the retries of the group for each target, and ignore their own retries and context window', async () => {
    const retry = { max_retries: 1, initial_backoff_ms: 10, backoff_multiplier: 1, max_backoff_ms: 100 }
    const ignored = { retry: { max_retries: 9 }, context_window: 5 }
    const { called, inference } = await run(
      [fails('overloaded', true)],
      group([entry('spare', 'one', ignored)], { retry, context_window: 1_000 }),
    )
    expect(called).to.deep.equal(['work model-1', 'work model-1', 'spare one', 'spare one'])
    expect(inference.groups()[0]?.context_window).to.equal(1_000)
  })

  it('are also called after a model that stalls or fails in the middle of its answer', async () => {
    for (const kind of ['timeout', 'truncated'] as const) {
      const { called, types, error } = await run([[started, textDelta, failure(kind, true)], answer], group([entry('spare', 'one')]))
      expect(error).to.equal(undefined)
      expect(called).to.deep.equal(['work model-1', 'spare one'])
      expect(types).to.deep.equal([
        ...['attempt.started', 'response.started', 'text.delta', 'attempt.fallback'],
        ...['attempt.started', 'response.started', 'text.delta', 'response.finished'],
      ])
    }
  })

  it('are not called for a conversation that is too long', async () => {
    const { called, error } = await run([fails('context_overflow')], group([entry('spare', 'one')]))
    expect(called).to.deep.equal(['work model-1'])
    expect(error).to.have.property('details').that.include({ failure: 'context_overflow' })
  })

  it('skip a disabled connection; a disabled one of the group itself counts as failed', async () => {
    const first = await run([fails('authentication'), answer], group([entry('off', 'one'), entry('spare', 'two')]))
    expect(first.called).to.deep.equal(['work model-1', 'spare two'])
    const second = await run([answer], group([entry('spare', 'two')], { provider: 'off' }))
    expect(second.called).to.deep.equal(['spare two'])
    expect(second.types[0]).to.equal('attempt.fallback')
  })

  it('fail with the error of the last one', async () => {
    const { error, contributions } = await run([fails('authentication'), fails('content_filtered')], group([entry('spare', 'one')]))
    expect(error).to.have.property('details').that.include({ failure: 'content_filtered' })
    expect(contributions.open.size).to.equal(0)
  })

  it('are not called after a cancelled call', async () => {
    const adapter = createScriptedAdapter([[started, textDelta, failure('transport', true)], answer])
    const { inference } = await startPlugin({ providers, models: group([entry('spare', 'one')]), adapters: [adapter] })
    const controller = new AbortController()
    const reason = new Error('stop')
    let thrown: unknown
    try {
      for await (const event of inference.infer({ group: 'primary', messages: [], tools: [] }, { signal: controller.signal })) {
        if (event.type === 'text.delta') controller.abort(reason)
      }
    } catch (error) {
      thrown = error
    }
    expect(thrown).to.equal(reason)
    expect(adapter.requests).to.have.length(1)
  })
})

describe('a connection that keeps failing', () => {
  it('is skipped after five failures in a row while another target is left, and retried later', async () => {
    const scripts = [...Array.from({ length: 5 }, () => [fails('overloaded', true), answer]).flat(), answer]
    const adapter = createScriptedAdapter(scripts)
    const { inference, clock } = await startPlugin({ providers, models: group([entry('spare', 'one')]), adapters: [adapter] })
    for (let count = 0; count < 6; count += 1) await infer(inference)
    const called = (): readonly string[] => adapter.requests.map(({ connection }) => connection.handle)
    expect(called()).to.deep.equal([...Array.from({ length: 5 }, () => ['work', 'spare']).flat(), 'spare'])
    await clock.wait(30_000, { signal: new AbortController().signal })
    await infer(inference)
    await infer(inference)
    expect(called().slice(-2)).to.deep.equal(['work', 'work'])
  })

  it('is still called if no other target is left', async () => {
    const { adapter, error } = await run([...Array.from({ length: 8 }, () => fails('overloaded', true)), answer], {
      primary: groupOf({ retry: { ...noRetry, max_retries: 10 } }),
    })
    expect(error).to.equal(undefined)
    expect(adapter.requests).to.have.length(9)
  })

  it('is not skipped for failures of the call itself', async () => {
    const adapter = createScriptedAdapter([fails('bad_request')])
    const { inference } = await startPlugin({ providers, models: group([entry('spare', 'one')]), adapters: [adapter] })
    for (let count = 0; count < 7; count += 1) await infer(inference)
    expect(adapter.requests.filter(({ connection }) => connection.handle === 'work')).to.have.length(7)
  })
})

describe('rate limits of a vendor', () => {
  const limited = (remaining: number, reset: number): Script => [
    { type: 'response.started', rate_limits: [{ unit: 'requests', remaining, reset_ms: reset }] },
    ...answer.slice(1),
  ]

  it('hold back calls that it would refuse, until it accepts calls again', async () => {
    const adapter = createScriptedAdapter([limited(0, 5_000), answer])
    const { inference, clock } = await startPlugin({ providers, models: group([]), adapters: [adapter] })
    await infer(inference)
    const { types, error } = await infer(inference)
    expect(error).to.equal(undefined)
    expect(types[0]).to.equal('attempt.delayed')
    expect(clock.waits[0]).to.be.within(5_000, 5_500)
  })

  it('admit as many calls as are left, also concurrently', async () => {
    const adapter = createScriptedAdapter([limited(2, 5_000), answer])
    const { inference } = await startPlugin({ providers, models: group([]), adapters: [adapter] })
    await infer(inference)
    const outcomes = await Promise.all([1, 2, 3].map(() => infer(inference)))
    expect(outcomes.filter(({ types }) => types.includes('attempt.delayed'))).to.have.length(1)
  })

  it('send a call to the next model if the wait would exceed the maximum', async () => {
    const adapter = createScriptedAdapter([limited(0, 90_000), answer])
    const { inference } = await startPlugin({ providers, models: group([entry('spare', 'one')]), adapters: [adapter] })
    await infer(inference)
    expect((await infer(inference)).types[0]).to.equal('attempt.fallback')
    expect(adapter.requests.at(-1)?.connection.handle).to.equal('spare')
  })
})

describe('the output limit that a protocol requires', () => {
  const adapterOf = () =>
    createScriptedAdapter([answer], {
      id: 'adapter_beta',
      protocols: [{ ...createScriptedAdapter([]).protocols[0], id: 'anthropic-messages' } as never],
    })
  const limitFor = async (changes: JsonObject): Promise<number | undefined> => {
    const adapter = adapterOf()
    const connection = { enabled: true, provider: 'anthropic', api_key: 'key-of-work' }
    const { inference } = await startPlugin({ providers: { work: connection }, models: { primary: groupOf(changes) }, adapters: [adapter] })
    await infer(inference)
    return adapter.requests[0]?.settings.max_tokens
  }

  it('is the setting, else the catalogue’s limit of the model, else 8,192', async () => {
    expect(await limitFor({ max_tokens: 5 })).to.equal(5)
    expect(await limitFor({ model: 'claude-sonnet-4-5' })).to.equal(64_000)
    expect(await limitFor({ model: 'nobody-knows' })).to.equal(8_192)
  })
})
