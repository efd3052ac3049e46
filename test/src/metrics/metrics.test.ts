import { readFile } from 'node:fs/promises'
import type { ModelEvent, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'
import { type Exposition, readExposition } from './support/exposition.js'

const page = new URL('../../../kernel/docs/metrics.md', import.meta.url)
const usage: ModelUsage = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, reasoning_tokens: 5, cost_usd: 0.25 }

async function* answers(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'text.delta', part: 0, text: 'Hello.' }
  yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'stop', usage }
}

const failing = (failure: 'overloaded' | 'authentication') =>
  providerError.create({ failure, retryable: failure === 'overloaded', connection: 'upstream', model: 'm', reason: 'No.' })

interface Documented {
  readonly type: string
  readonly labels: readonly string[]
}

/** The rows of the tables of the page. */
async function documentedMetrics(): Promise<ReadonlyMap<string, Documented>> {
  const rows = (await readFile(page, 'utf8')).matchAll(/^\| `([a-z_]+)` \| ([a-z]+) \| ([^|]*)\|/gm)
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`([a-z]+)`/g)].map(([, label = '']) => label) },
    ]),
  )
}

describe('metrics', () => {
  let agents: AgentsKernel
  let admin: Person
  let stream: EventStream
  before(async () => {
    const fallbacks = '[{"provider":"upstream","model":"spare"}]'
    // What drives the browser counts only where one is configured; it is not asked here.
    const browser = { SERVICE_BROWSER_WS_URL: 'ws://127.0.0.1:9' }
    const memory = { SERVICE_MEMORY__BACKEND: 'pkm' }
    agents = await startAgentsKernel({
      maxRetries: 1,
      environment: { SERVICE_MODELS__PRIMARY__FALLBACKS: fallbacks, ...browser, ...memory },
    })
    admin = await agents.person('root')
    stream = await admin.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const read = async (): Promise<Exposition> => readExposition(await (await fetch(`${agents.kernel.url}/metrics`)).text())
  const ask = async (): Promise<string> => {
    const run = await admin.post(await admin.newChat(), 'Hi')
    return (await endOf(stream, run)).name
  }
  const target = { group: 'primary', provider: 'upstream' }

  it('are those of the page, with its types and labels, and no others', async () => {
    setScript({ answer: answers })
    await ask()
    // A plugin that waits for its first use has no metrics before.
    await admin.request('GET', '/api/prompts?limit=1')
    const documented = await documentedMetrics()
    const { types, samples } = await read()
    expect([...documented.keys()].sort()).to.deep.equal([...types.keys()].sort())
    for (const [name, { type, labels }] of documented) {
      expect(types.get(name), name).to.equal(type)
      const bounds = type === 'histogram' ? ['le'] : []
      for (const sample of samples.filter((each) => each.metric === name))
        expect([...labels, ...bounds], sample.line).to.include.members(Object.keys(sample.labels))
    }
  })

  it('count calls, tokens, costs and runs', async () => {
    setScript({ answer: answers })
    const before = await read()
    expect(await ask()).to.equal('run.completed')
    const after = await read()
    const grown = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      after.sum(name, labels) - before.sum(name, labels)
    expect(grown('model_calls_total', { ...target, outcome: 'completed' })).to.equal(1)
    for (const [kind, tokens] of Object.entries({ input: 100, cached_input: 40, output: 20, reasoning: 5 }))
      expect(grown('model_tokens_total', { ...target, kind }), kind).to.equal(tokens)
    expect(grown('model_cost_dollars_total', target)).to.be.closeTo(0.25, 1e-9)
    expect(grown('model_call_duration_seconds_count', target)).to.equal(1)
    expect(grown('model_call_first_token_seconds_count', target)).to.equal(1)
    expect(grown('runs_started_total')).to.equal(1)
    expect(grown('runs_ended_total', { status: 'completed' })).to.equal(1)
    expect(grown('run_duration_seconds_count', { status: 'completed' })).to.equal(1)
    expect(grown('run_queue_seconds_count')).to.equal(1)
    expect(grown('events_published_total', { event: 'run.completed' })).to.equal(1)
    expect(after.sum('event_streams_open')).to.equal(1)
    expect(after.sum('plugin_state', { plugin: 'feature-agents', state: 'active' })).to.equal(1)
  })

  it('count failures, retries, fallbacks and problems', async () => {
    let calls = 0
    setScript({
      async *answer(request) {
        calls += 1
        if (request.model !== 'spare') throw failing(calls === 1 ? 'overloaded' : 'authentication')
        yield* answers()
      },
    })
    const before = await read()
    expect(await ask()).to.equal('run.completed')
    expect((await admin.request('GET', '/api/runs/nothing-of-the-kind')).status).to.be.oneOf([404, 422])
    expect((await admin.request('GET', '/api/usage?from=never')).status).to.equal(422)
    const after = await read()
    const grown = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      after.sum(name, labels) - before.sum(name, labels)
    expect(grown('model_calls_total', { ...target, outcome: 'failed' })).to.equal(2)
    expect(grown('model_call_failures_total', { ...target, failure: 'overloaded' })).to.equal(1)
    expect(grown('model_call_failures_total', { ...target, failure: 'authentication' })).to.equal(1)
    expect(grown('model_call_retries_total', target)).to.equal(1)
    expect(grown('model_call_fallbacks_total', target)).to.equal(1)
    expect(grown('http_problems_total', { code: 'invalid_request', status: '422' })).to.be.at.least(1)
    setScript({
      async *answer() {
        yield* []
        throw failing('authentication')
      },
    })
    expect(await ask()).to.equal('run.failed')
    expect((await read()).sum('runs_ended_total', { status: 'failed' })).to.equal(1)
    expect((await read()).sum('run_failures_total')).to.equal(1)
  })

  it('name no user, chat or run', async () => {
    const text = await (await fetch(`${agents.kernel.url}/metrics`)).text()
    const { id } = (await admin.request('GET', '/api/auth/me')).body
    expect(text).to.not.include(String(id)).and.not.include('root')
    expect(text).to.not.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}/)
  })

  it('show runs that are open, while they are', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const begun = new Promise<void>((resolve) => {
      setScript({
        async *answer() {
          resolve()
          await held
          yield* answers()
        },
      })
    })
    const run = await admin.post(await admin.newChat(), 'Hi')
    await begun
    expect((await read()).sum('runs_open', { state: 'running' })).to.equal(1)
    release()
    await endOf(stream, run)
    expect((await read()).sum('runs_ended_total', { status: 'completed' })).to.equal(4)
  })
})
