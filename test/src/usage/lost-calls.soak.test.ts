import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { type Api, signUp } from '../support/api.js'
import { fewPlugins } from '../support/few-plugins.js'
import { type HangingUpstream, startHangingUpstream } from '../support/hanging-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

type Call = Readonly<Record<string, unknown>> & { readonly outcome: string; readonly input_tokens: number; readonly cost_usd: number }

/** A group with a model whose price the catalogue knows. */
async function configure(folder: string, url: string): Promise<void> {
  await mkdir(path.join(folder, 'data'), { recursive: true })
  const group = 'models:\n  primary:\n    provider: openai\n    model: gpt-4o-mini\n    api: completions\n'
  const connection = `providers:\n  openai:\n    base_url: ${url}\n    api_key: \${UPSTREAM_KEY}\n`
  await writeFile(path.join(folder, 'data', 'config.yaml'), connection + group)
}

describe('a model call lost in a crash of the service', function () {
  this.timeout(60_000)
  let upstream: HangingUpstream
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    upstream = await startHangingUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-lost-'))
    await configure(folder, upstream.url)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await upstream.close()
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    service = await startServiceProcess({ folder, environment: { ...fewPlugins(), UPSTREAM_KEY: 'upstream-key-0123456789' } })
    return await signUp(service.url, 'ada')
  }
  const begin = async (ada: Api) => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'What is lost, and what does it cost?' })
    return { chat, run: (body['run'] as { readonly id: string }).id }
  }
  const items = async (ada: Api, where: string) => (await ada.request('GET', where)).body['items'] as readonly Call[]
  const inputOf = (calls: readonly Call[]): number => calls.reduce((sum, call) => sum + call.input_tokens, 0)

  it('is recorded once per crash, with the estimated tokens of its prompt', async () => {
    let ada = await start()
    await ada.request('PUT', '/api/admin/budgets/default', { period: 'day', limit_tokens: 1_000_000 })
    const stream = await ada.stream()
    const { chat, run } = await begin(ada)
    const started = await stream.until(({ name }) => name === 'run.started')
    stream.close()
    await upstream.askedTimes(1)
    await service?.kill()
    ada = await start()
    await upstream.askedTimes(2)
    await service?.kill()
    upstream.answer()
    ada = await start()
    const resumed = await ada.stream({ after: started.id ?? '' })
    expect((await endOf(resumed, run)).name).to.equal('run.completed')

    const calls = await items(ada, '/api/usage/calls')
    expect(calls.map(({ outcome }) => outcome)).to.deep.equal(['completed', 'lost', 'lost'])
    const lost = calls.slice(1)
    for (const call of lost) {
      expect(call).to.include({ chat_id: chat, run_id: run, group: 'primary', fallback: 0, provider: 'openai', model: 'gpt-4o-mini' })
      expect(call).to.include({ protocol: calls[0]?.['protocol'], estimated: true, output_tokens: 0, duration_ms: 0, request_id: null })
      expect(call.input_tokens).to.be.greaterThan(50)
      expect(call.cost_usd).to.be.greaterThan(0)
      expect(call['price_version']).to.equal(calls[0]?.['price_version'])
    }
    const times = calls.map((call) => String(call['started_at']))
    expect(times).to.deep.equal([...times].sort().reverse())

    const sums = { calls: 3, failed_calls: 2, input_tokens: inputOf(calls), output_tokens: 2, unpriced_calls: 0 }
    const cost = calls.reduce((sum, call) => sum + call.cost_usd, 0)
    const [day] = await items(ada, '/api/usage')
    expect(day).to.include(sums)
    expect(day?.cost_usd).to.be.closeTo(cost, 1e-9)
    const models = (await ada.request('GET', `/api/usage/chats/${chat}`)).body['models'] as readonly Call[]
    expect(models[0]).to.include(sums)
    expect((await ada.request('GET', '/api/usage/budget')).body['budget']).to.include({ used_tokens: inputOf(calls) + 2 })

    resumed.close()
  })

  it('counts towards the budget before it is repeated', async () => {
    let ada = await start()
    await ada.request('PUT', '/api/admin/budgets/default', { period: 'day', limit_tokens: 20 })
    const { run } = await begin(ada)
    await upstream.askedTimes(1)
    await service?.kill()
    upstream.answer()
    ada = await start()
    const stream = await ada.stream()
    const seen = (await ada.request('GET', `/api/runs/${run}`)).body
    if (seen['status'] !== 'failed') await endOf(stream, run)
    expect((await ada.request('GET', `/api/runs/${run}`)).body['failure']).to.include({ code: 'budget_exceeded' })
    expect((await items(ada, '/api/usage/calls')).map(({ outcome }) => outcome)).to.deep.equal(['lost'])
    stream.close()
  })

  it('is not lost if the service stopped normally', async () => {
    let ada = await start()
    const { run } = await begin(ada)
    await upstream.askedTimes(1)
    expect(await service?.stop()).to.equal(0)
    upstream.answer()
    ada = await start()
    const stream = await ada.stream()
    if ((await ada.request('GET', `/api/runs/${run}`)).body['status'] !== 'completed') await endOf(stream, run)
    expect((await items(ada, '/api/usage/calls')).map(({ outcome }) => outcome)).to.deep.equal(['completed', 'cancelled'])
    expect((await items(ada, '/api/usage'))[0]).to.include({ calls: 2, failed_calls: 1, input_tokens: 7 })
    stream.close()
  })
})
