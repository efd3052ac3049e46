import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { earlierCredentials } from '../credentials/earlier-credentials.js'
import { createScriptedAdapter, failure, finished, groupOf, started } from '../test-support/fakes.js'
import { infer, startPlugin, workConnection } from '../test-support/start-plugin.js'
import { type Budget, budgetCollection } from './budget.js'
import { usageCollections } from './usage-user-data.js'

const userId = 'ada'
const attribution = { userId }

/** An answer with this total number of tokens. */
const answerOf = (tokens: number): ModelEvent => ({
  ...(finished as Extract<ModelEvent, { type: 'response.finished' }>),
  usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: tokens - 1, reasoning_tokens: 0 },
})

/** An adapter whose calls wait until they are released. */
function createHeldAdapter(end: (call: number) => ModelEvent | Error) {
  const open = new Set<() => void>()
  const sent = { calls: 0, most: 0 }
  const hold = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        open.delete(go)
        resolve()
      }
      open.add(go)
      sent.calls += 1
      sent.most = Math.max(sent.most, open.size)
      const onAbort = (): void => {
        open.delete(go)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
  const scripted = createScriptedAdapter([])
  const adapter: ProviderAdapter = {
    ...scripted,
    supports: { ...scripted.supports, embed: true },
    async *call(_, { signal }) {
      const number = sent.calls
      await hold(signal)
      const event = end(number)
      if (event instanceof Error) throw event
      yield started
      yield event
    },
    async embed(request, { signal }) {
      await hold(signal)
      return { vectors: request.inputs.map(() => [1]), model: 'm', usage: { input_tokens: 60 } }
    },
  }
  return { adapter, sent, open }
}

/** Waits until all pending work without another call is done. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Releases all open calls, and those that follow, until there are no more. */
async function releaseAll(open: ReadonlySet<() => void>): Promise<void> {
  for (await quiet(); open.size > 0; await quiet()) for (const go of [...open]) go()
}

async function start(options: {
  readonly budget: Partial<Budget>
  readonly end?: (call: number) => ModelEvent | Error
  readonly group?: JsonObject
  readonly providers?: JsonObject
  readonly adapter?: ProviderAdapter
}) {
  const { budget, end = () => answerOf(100), group = {}, providers = { work: workConnection, spare: workConnection } } = options
  const database: Database = createMemoryDatabase([...usageCollections, earlierCredentials])
  await database
    .collection(budgetCollection)
    .put({ id: userId, user_id: userId, period: 'month', limit_usd: null, limit_tokens: null, updated_at: '', ...budget })
  const held = createHeldAdapter(end)
  const retry = { max_retries: 2, initial_backoff_ms: 1, backoff_multiplier: 1, max_backoff_ms: 1 }
  const models = { primary: groupOf({ retry, ...group }), embedding: groupOf({ retry }) }
  const plugin = await startPlugin({
    database,
    models,
    providers,
    adapters: [options.adapter ?? held.adapter],
    environment: { WORK_KEY: 'a', OPENAI_KEY: 'b' },
  })
  const route = plugin.routes.find(({ operationId }) => operationId === 'getOwnBudget')
  const usedTokens = async (): Promise<number> => {
    const answer = await route?.handle({ principal: { userId } } as never)
    if (answer?.kind !== 'json') throw new Error('The budget was not shown.')
    return (answer.json as { readonly budget: { readonly used_tokens: number } }).budget.used_tokens
  }
  const ask = (signal?: AbortSignal) => infer(plugin.inference, { attribution }, signal)
  return { ...plugin, ...held, ask, usedTokens }
}

const codeOf = ({ error }: { readonly error: unknown }): string => (error === undefined ? 'completed' : (error as { code: string }).code)

describe('a budget is reserved before a call,', () => {
  it('so that a budget of one token serves one of 100 parallel calls', async () => {
    const { ask, sent, open } = await start({ budget: { limit_tokens: 1 } })
    const asked = Array.from({ length: 100 }, () => ask())
    await quiet()
    expect(sent.calls).to.equal(1)
    await releaseAll(open)
    const outcomes = (await Promise.all(asked)).map(codeOf)
    expect(sent.calls).to.equal(1)
    expect(outcomes.filter((outcome) => outcome === 'completed')).to.have.length(1)
    expect(outcomes.filter((outcome) => outcome === 'budget_exceeded')).to.have.length(99)
  })

  it('so that parallel calls never exceed the budget if answers have a limit', async () => {
    const { ask, sent, open, usedTokens } = await start({ budget: { limit_tokens: 1_000 }, group: { max_tokens: 99 } })
    const asked = Array.from({ length: 50 }, () => ask())
    await releaseAll(open)
    const outcomes = (await Promise.all(asked)).map(codeOf)
    expect(sent.most).to.be.within(5, 10)
    expect(outcomes.filter((outcome) => outcome === 'completed')).to.have.length(10)
    expect(await usedTokens()).to.equal(1_000)
  })

  it('so that answers longer than their reservation exceed it by at most one call', async () => {
    const { ask, open, usedTokens } = await start({ budget: { limit_tokens: 950 }, group: { max_tokens: 99 } })
    const asked = Array.from({ length: 50 }, () => ask())
    await releaseAll(open)
    await Promise.all(asked)
    expect(await usedTokens()).to.equal(1_000)
  })

  it('also in money, by the prices of the catalogue', async () => {
    const openai = { adapter: 'adapter_alpha', api_key: '${OPENAI_KEY}', enabled: true, base_url: 'http://127.0.0.1:9/v1/' }
    const group = { provider: 'openai', model: 'gpt-4o-mini', api: 'completions', max_tokens: 1_000 }
    // An answer of 1,000 tokens costs at most $0.0006.
    const { ask, sent, open } = await start({ budget: { limit_usd: 0.0015 }, providers: { openai }, group, end: () => answerOf(1_000) })
    const asked = Array.from({ length: 20 }, () => ask())
    await quiet()
    expect(sent.calls).to.equal(2)
    await releaseAll(open)
    const outcomes = (await Promise.all(asked)).map(codeOf)
    expect(outcomes.filter((outcome) => outcome === 'completed')).to.have.length(3)
    expect(outcomes.filter((outcome) => outcome === 'budget_exceeded')).to.have.length(17)
  })

  it('also in money, by the price of the configuration, which wins over the catalogue', async () => {
    const openai = { adapter: 'adapter_alpha', api_key: '${OPENAI_KEY}', enabled: true, base_url: 'http://127.0.0.1:9/v1/' }
    const model = { provider: 'openai', model: 'gpt-4o-mini', api: 'completions', max_tokens: 1_000 }
    // An answer of 1,000 tokens costs $0.001, and its prompt nothing.
    const group = { ...model, price: { input: 0, output: 1 } }
    const { ask, sent, open } = await start({ budget: { limit_usd: 0.0025 }, providers: { openai }, group, end: () => answerOf(1_001) })
    const asked = Array.from({ length: 20 }, () => ask())
    await quiet()
    expect(sent.calls).to.equal(2)
    await releaseAll(open)
    const outcomes = (await Promise.all(asked)).map(codeOf)
    expect(outcomes.filter((outcome) => outcome === 'completed')).to.have.length(3)
    expect(outcomes.filter((outcome) => outcome === 'budget_exceeded')).to.have.length(17)
  })

  it('also for embeddings', async () => {
    const { inference, sent, open } = await start({ budget: { limit_tokens: 50 } })
    const asked = Array.from({ length: 20 }, () =>
      inference.embed({ inputs: ['a'.repeat(400)], attribution }, { signal: new AbortController().signal }),
    )
    const settled = Promise.allSettled(asked)
    await quiet()
    expect(sent.calls).to.equal(1)
    await releaseAll(open)
    expect((await settled).filter(({ status }) => status === 'fulfilled')).to.have.length(1)
  })

  it('and released when the call fails, is retried, falls back, is aborted or abandoned', async () => {
    const overloaded = failure('overloaded', true)
    const fallbacks = [{ provider: 'spare', model: 'model-2', extra_params: {}, fallbacks: [] }]
    const { ask, inference, open, sent } = await start({
      budget: { limit_tokens: 100_000_000 },
      group: { fallbacks, max_tokens: 90_000_000 },
      end: (call) => (call < 3 ? overloaded : answerOf(2)),
    })
    const first = ask()
    await releaseAll(open)
    expect(codeOf(await first)).to.equal('completed')
    expect(sent.calls).to.equal(4)

    const aborting = new AbortController()
    const aborted = ask(aborting.signal)
    await quiet()
    aborting.abort(new Error('away'))
    expect((await aborted).error).to.have.property('message', 'away')

    for await (const { type } of inference.infer(
      { group: 'primary', messages: [], tools: [], attribution },
      { signal: new AbortController().signal },
    ))
      if (type === 'attempt.started') break

    const last = ask()
    await quiet()
    expect(sent.calls).to.equal(6)
    await releaseAll(open)
    expect(codeOf(await last)).to.equal('completed')
  })

  it('and a call that waits for reservations of others names them in its error, and ends with its signal', async () => {
    const { ask, sent, open } = await start({ budget: { limit_tokens: 1 } })
    const first = ask()
    await quiet()
    const aborting = new AbortController()
    const second = ask(aborting.signal)
    await quiet()
    expect(sent.calls).to.equal(1)
    aborting.abort(new Error('away'))
    expect((await second).error).to.have.property('message', 'away')
    await releaseAll(open)
    expect(codeOf(await first)).to.equal('completed')
  })
})

describe('usage that counts towards a budget', () => {
  const long = 'Once upon a time there was a model that told long stories. '.repeat(20)
  const telling: ModelEvent[] = [started, { type: 'text.delta', part: 0, text: long }, answerOf(400)]

  it('includes an answer that its reader abandons', async () => {
    const { inference, usedTokens } = await start({ budget: { limit_tokens: 1_000 }, adapter: createScriptedAdapter([telling]) })
    const ask = () => inference.infer({ group: 'primary', messages: [], tools: [], attribution }, { signal: new AbortController().signal })
    const leave = async (): Promise<void> => {
      for await (const { type } of ask()) if (type === 'text.delta') break
    }
    await leave()
    expect(await usedTokens()).to.be.within(200, 500)
    let refused: unknown
    for (let call = 0; call < 20 && refused === undefined; call += 1)
      await leave().catch((error: unknown) => {
        refused = error
      })
    expect(refused).to.include({ code: 'budget_exceeded' })
  })

  it('includes an interrupted answer, but no call that failed before its answer', async () => {
    const truncated = failure('truncated', false)
    const broken = createScriptedAdapter([[started, ...telling.slice(1, 2), truncated]])
    const first = await start({ budget: { limit_tokens: 1_000 }, adapter: broken })
    expect(codeOf(await first.ask())).to.equal(truncated.code)
    expect(await first.usedTokens()).to.be.within(200, 500)
    const second = await start({ budget: { limit_tokens: 1_000 }, adapter: createScriptedAdapter([[truncated]]) })
    expect(codeOf(await second.ask())).to.equal(truncated.code)
    expect(await second.usedTokens()).to.equal(0)
  })
})

describe('concurrent model calls', () => {
  it('are limited per user and in total, and users take turns', async () => {
    const { quotas } = await start({ budget: { limit_tokens: 1 } })
    const limit = quotas.declared.get('model-calls')
    expect(limit).to.deep.include({ maxPerHolder: 64, maxTotal: 512 })
    expect(limit?.waiting).to.include({ maxPerHolder: 1_000, maxMs: 300_000 })
  })
})
