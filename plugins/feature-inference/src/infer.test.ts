import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { answer, createScriptedAdapter, failure, finished, groupOf, started, textDelta } from './test-support/fakes.js'
import { infer, startPlugin, workConnection } from './test-support/start-plugin.js'

const providers = { work: workConnection }
const models = { primary: groupOf() }
const overloaded = failure('overloaded', true)

describe('an inference', () => {
  it('yields the events of the model after their attempt', async () => {
    const adapter = createScriptedAdapter([answer])
    const { inference, contributions, secrets } = await startPlugin({ providers, models, adapters: [adapter] })
    const { events, error } = await infer(inference)
    expect(error).to.equal(undefined)
    expect(events).to.deep.equal([{ type: 'attempt.started', attempt: 1, provider: 'work', model: 'model-1', fallback: 0 }, ...answer])
    expect(contributions.open.size).to.equal(0)
    expect(secrets.protectedValues).to.include('key-of-work')
  })

  it('passes connection, protocol, settings and timeouts to the adapter', async () => {
    const adapter = createScriptedAdapter([answer])
    const group = groupOf({ max_tokens: 5, temperature: 0.1, seed: 7, api: 'chat_completions', extra_params: { user: '${LITERAL}' } })
    const { inference } = await startPlugin({ providers, models: { primary: group }, adapters: [adapter] })
    await infer(inference)
    expect(adapter.requests[0]).to.deep.include({
      connection: { handle: 'work', brand: 'house', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key-of-work', quirks: {} },
      protocol: 'completions',
      settings: { max_tokens: 5, temperature: 0.1, seed: 7 },
      extraParams: { user: '${LITERAL}' },
      stream: true,
      timeouts: { connectMs: 30_000, firstTokenMs: 300_000, idleMs: 120_000, totalMs: 3_600_000 },
    })
  })

  it('passes only a configured context window to the adapter', async () => {
    const adapter = createScriptedAdapter([answer, answer])
    const given = { primary: groupOf({ context_window: 9_000 }), other: groupOf() }
    const { inference } = await startPlugin({ providers, models: given, adapters: [adapter] })
    await infer(inference)
    await infer(inference, { group: 'other' })
    expect(adapter.requests.map(({ contextWindow }) => contextWindow)).to.deep.equal([9_000, undefined])
  })

  it('substitutes primary for a group that does not exist, and reports it', async () => {
    const { inference } = await startPlugin({ providers, models, adapters: [createScriptedAdapter([answer])] })
    expect((await infer(inference, { group: 'fast' })).events[0]).to.deep.equal({
      type: 'group.substituted',
      wanted: 'fast',
      used: 'primary',
    })
  })

  it('without primary lists the existing groups in the error', async () => {
    const { inference } = await startPlugin({ providers, models: { other: groupOf() }, adapters: [createScriptedAdapter([answer])] })
    const { error } = await infer(inference, { group: 'fast' })
    expect(error).to.include({ code: 'model_group_unknown' })
    expect((error as Error).message).to.contain('other')
  })
})

describe('retries of an inference', () => {
  it('wait longer by the multiplier, within 80 to 100 %, and are reported', async () => {
    const adapter = createScriptedAdapter([[overloaded], [started, overloaded], [overloaded], answer])
    const { inference, clock } = await startPlugin({ providers, models, adapters: [adapter] })
    const { types, events } = await infer(inference)
    expect(types).to.deep.equal([
      ...[
        'attempt.started',
        'attempt.retrying',
        'attempt.started',
        'response.started',
        'attempt.retrying',
        'attempt.started',
        'attempt.retrying',
      ],
      ...['attempt.started', 'response.started', 'text.delta', 'response.finished'],
    ])
    expect(clock.waits).to.have.length(3)
    for (const [retry, wait] of clock.waits.entries()) {
      expect(wait).to.be.within(800 * 2 ** retry, 1_000 * 2 ** retry)
    }
    expect(events[1]).to.deep.equal({
      type: 'attempt.retrying',
      attempt: 1,
      max_attempts: 4,
      delay_ms: clock.waits[0],
      failure: 'overloaded',
      reason: 'It was overloaded.',
    })
  })

  it('fail with the last error when they are used up', async () => {
    const adapter = createScriptedAdapter([[overloaded]])
    const { inference, contributions } = await startPlugin({ providers, models, adapters: [adapter] })
    const { error } = await infer(inference)
    expect(error).to.equal(overloaded)
    expect(adapter.requests).to.have.length(4)
    expect(contributions.open.size).to.equal(0)
  })

  it('wait as long as the vendor asks, and fail at once if that exceeds the maximum', async () => {
    const patient = createScriptedAdapter([[failure('rate_limited', true, { retryAfterMs: 59_000 })], answer])
    const first = await startPlugin({ providers, models, adapters: [patient] })
    await infer(first.inference)
    expect(first.clock.waits).to.deep.equal([59_000])
    const impatient = createScriptedAdapter([[failure('rate_limited', true, { retryAfterMs: 60_001 })], answer])
    const second = await startPlugin({ providers, models, adapters: [impatient] })
    const { error } = await infer(second.inference)
    expect(error).to.include({ code: 'provider_error', retryAfterSeconds: 61 })
    expect(String(error)).to.contain('The vendor asks to wait 61 s, longer than models.primary.retry.max_backoff_ms allows (60 s).')
    expect(second.clock.waits).to.deep.equal([])
  })

  it('are not made for permanent failures', async () => {
    const adapter = createScriptedAdapter([[failure('authentication', false)], answer])
    const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
    expect((await infer(inference)).error).to.include({ code: 'provider_error' })
    expect(adapter.requests).to.have.length(1)
  })

  it('are not made for failures that last, although the vendor asks for it', async () => {
    for (const kind of ['authentication', 'bad_request', 'context_overflow', 'model_not_found', 'quota_exceeded'] as const) {
      const adapter = createScriptedAdapter([[failure(kind, true)], answer])
      const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
      expect((await infer(inference)).error, kind).to.include({ code: 'provider_error' })
      expect(adapter.requests, kind).to.have.length(1)
    }
  })

  it('are made once at most when all the time of a call passed in vain, and then the fallback is called', async () => {
    for (const [expiredWait, setting] of [
      ['first_token', 'first_token_secs, 300 s'],
      ['total', 'total_secs, 3600 s'],
    ] as const) {
      const slow = failure('timeout', true, { expiredWait })
      const alone = createScriptedAdapter([[slow]])
      const first = await startPlugin({ providers, models, adapters: [alone] })
      const { error } = await infer(first.inference)
      expect(alone.requests).to.have.length(2)
      expect((error as ServiceError).details['reason']).to.equal(
        `It was timeout. The limit is inference.timeouts.${setting}; raise it if this model needs longer.`,
      )
      const helped = createScriptedAdapter([[slow], [overloaded], [slow], answer])
      const spare = { primary: groupOf({ fallbacks: [{ provider: 'work', model: 'spare', extra_params: {}, fallbacks: [] }] }) }
      const second = await startPlugin({ providers, models: spare, adapters: [helped] })
      expect((await infer(second.inference)).error).to.equal(undefined)
      expect(helped.requests.map(({ model }) => model)).to.deep.equal(['model-1', 'model-1', 'model-1', 'spare'])
    }
  })

  it('are made as often as configured when an answer paused or no connection opened, and the limit is named', async () => {
    for (const [expiredWait, setting] of [
      ['idle', 'idle_secs, 120 s'],
      ['connect', 'connect_secs, 30 s'],
    ] as const) {
      const adapter = createScriptedAdapter([[failure('timeout', true, { expiredWait })]])
      const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
      const { error } = await infer(inference)
      expect(adapter.requests).to.have.length(4)
      expect((error as ServiceError).details['reason']).to.include(`inference.timeouts.${setting};`)
    }
  })

  it('are made after output too: the events of the earlier attempt are void', async () => {
    const adapter = createScriptedAdapter([[started, textDelta, failure('truncated', true)], answer])
    const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
    const { error, types } = await infer(inference)
    expect(error).to.equal(undefined)
    expect(types.slice(0, 5)).to.deep.equal(['attempt.started', 'response.started', 'text.delta', 'attempt.retrying', 'attempt.started'])
    expect(types.at(-1)).to.equal('response.finished')
  })

  it('are not made after output that cannot be withdrawn', async () => {
    const adapter = createScriptedAdapter([[started, textDelta, failure('truncated', true)], answer])
    const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
    const { error, types } = await infer(inference, { restarts: 'never' })
    expect(types).to.deep.equal(['attempt.started', 'response.started', 'text.delta'])
    expect((error as ServiceError).details['failure']).to.equal('truncated')
    expect(adapter.requests).to.have.length(1)
  })

  it('stop at an abort during the wait, with its reason', async () => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const { inference, contributions } = await startPlugin({ providers, models, adapters: [createScriptedAdapter([[overloaded], answer])] })
    let thrown: unknown
    try {
      for await (const event of inference.infer({ group: 'primary', messages: [], tools: [] }, { signal: controller.signal })) {
        if (event.type === 'attempt.retrying') controller.abort(reason)
      }
    } catch (error) {
      thrown = error
    }
    expect(thrown).to.equal(reason)
    expect(contributions.open.size).to.equal(0)
  })
})

describe('an adapter that violates its contract', () => {
  const outcome = async (script: readonly (typeof finished | typeof started | Error)[]) => {
    const { inference, contributions } = await startPlugin({
      providers,
      models: { primary: groupOf({ retry: noRetry }) },
      adapters: [createScriptedAdapter([script])],
    })
    const { error, types } = await infer(inference)
    expect(contributions.open.size).to.equal(0)
    return { error: error as ServiceError | undefined, types }
  }
  const noRetry = { max_retries: 0, initial_backoff_ms: 0, backoff_multiplier: 1, max_backoff_ms: 0 }

  it('fails as truncated if it ends without a finished answer', async () => {
    expect((await outcome([started])).error?.details['failure']).to.equal('truncated')
  })
  it('fails without its own message if it throws an error of its own', async () => {
    const { error } = await outcome([new TypeError('internal: secret-ish text')])
    expect(ServiceError.isInstance(error)).to.equal(true)
    expect(error?.message).to.not.contain('internal')
    expect(String(error?.cause)).to.contain('internal')
  })
  it('is not read after the finished answer', async () => {
    expect((await outcome([finished, started])).types).to.deep.equal(['attempt.started', 'response.finished'])
  })
  it('fails as transport if its plugin stops during the call', async () => {
    const adapter = createScriptedAdapter([answer])
    const { inference, contributions } = await startPlugin({ providers, models, adapters: [adapter] })
    let thrown: unknown
    try {
      for await (const event of inference.infer({ group: 'primary', messages: [], tools: [] }, { signal: new AbortController().signal })) {
        if (event.type === 'text.delta') contributions.stop()
      }
    } catch (error) {
      thrown = error
    }
    expect((thrown as ServiceError).details).to.include({ failure: 'transport', retryable: false })
  })
})
