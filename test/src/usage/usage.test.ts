import type { ModelEvent, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'

const usage: ModelUsage = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, reasoning_tokens: 5, cost_usd: 0.25 }

/** A complete answer with this usage. */
async function* answerThatUsed(used: ModelUsage): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started', request_id: 'request-1' }
  yield { type: 'text.delta', part: 0, text: 'Hello.' }
  yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'stop', usage: used }
}
const broken = () =>
  providerError.create({ failure: 'overloaded', retryable: false, connection: 'upstream', model: 'm', reason: 'Too many of you.' })

type Items = readonly Readonly<Record<string, unknown>>[]

describe('the usage of model calls', () => {
  let agents: AgentsKernel
  let admin: Person
  let ada: Person
  let stream: EventStream

  before(async () => {
    agents = await startAgentsKernel()
    admin = await agents.person('root')
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const ask = async (chat: string): Promise<string> => {
    const run = await ada.post(chat, 'Hi')
    return (await endOf(stream, run)).name
  }
  const items = async (person: Person, path: string): Promise<Items> => (await person.request('GET', path)).body['items'] as Items

  it('is stored for each call, with its cost', async () => {
    setScript({ answer: () => answerThatUsed(usage) })
    const chat = await ada.newChat()
    expect(await ask(chat)).to.equal('run.completed')
    const [call] = await items(ada, '/api/usage/calls')
    expect(call).to.include({
      agent_id: ada.agentId,
      chat_id: chat,
      group: 'primary',
      fallback: 0,
      retries: 0,
      outcome: 'completed',
      failure: null,
      stop_reason: 'stop',
      input_tokens: 100,
      cached_input_tokens: 40,
      output_tokens: 20,
      reasoning_tokens: 5,
      cost_usd: 0.25,
      price_version: 'vendor',
      request_id: 'request-1',
      in_one_piece: false,
    })
    expect(call).to.not.have.any.keys('user_id', 'cost_nano_usd')
    const models = (await ada.request('GET', `/api/usage/chats/${chat}`)).body['models'] as Items
    expect(models).to.have.length(1)
    expect(models[0]).to.include({ calls: 1, input_tokens: 100, cost_usd: 0.25, unpriced_calls: 0 })
  })

  it('is summed by day, model, agent and purpose, and by user for administrators, including failed and unpriced calls', async () => {
    setScript({ answer: () => answerThatUsed({ input_tokens: 3, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }) })
    const chat = await ada.newChat()
    await ask(chat)
    setScript({
      // biome-ignore lint/correctness/useYield: a call that fails at its first step.
      answer: async function* () {
        throw broken()
      },
    })
    expect(await ask(chat)).to.equal('run.failed')
    const sum = { calls: 3, failed_calls: 1, input_tokens: 103, output_tokens: 21, cost_usd: 0.25, unpriced_calls: 1 }
    for (const grouping of ['day', 'model', 'agent', 'purpose']) {
      const groups = await items(ada, `/api/usage?group_by=${grouping}`)
      expect(groups, grouping).to.have.length(1)
      expect(groups[0], grouping).to.include(sum)
    }
    const all = await items(admin, '/api/admin/usage?group_by=user')
    expect(all).to.have.length(1)
    expect(all[0]).to.include(sum)
    expect(await items(admin, `/api/admin/usage?user_id=${String(all[0]?.['user_id'])}&model=nobody`)).to.deep.equal([])
    expect(await items(admin, '/api/usage')).to.deep.equal([])
    expect((await ada.request('GET', '/api/admin/usage')).status).to.equal(403)
    const [failed] = await items(ada, '/api/usage/calls')
    expect(failed).to.include({ outcome: 'failed', failure: 'overloaded', cost_usd: null })
  })

  it('is kept after a restart', async () => {
    stream.close()
    await agents.restart()
    ada = await agents.person('ada')
    admin = await agents.person('root')
    stream = await ada.stream()
    expect((await items(ada, '/api/usage'))[0]).to.include({ calls: 3, cost_usd: 0.25 })
  })

  it('of another user’s chat is not returned', async () => {
    const chat = await ada.newChat()
    setScript({ answer: () => answerThatUsed(usage) })
    await ask(chat)
    expect((await admin.request('GET', `/api/usage/chats/${chat}`)).status).to.equal(404)
  })
})

describe('budgets', () => {
  let agents: AgentsKernel
  let admin: Person
  let ada: Person
  let stream: EventStream

  before(async () => {
    agents = await startAgentsKernel()
    admin = await agents.person('root')
    ada = await agents.person('ada')
    stream = await ada.stream()
    setScript({ answer: () => answerThatUsed(usage) })
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const ask = async (): Promise<Readonly<Record<string, unknown>>> => {
    const run = await ada.post(await ada.newChat(), 'Hi')
    return (await endOf(stream, run)).data
  }
  const userId = async (): Promise<string> => String((await ada.request('GET', '/api/auth/me')).body['id'])

  it('stop a run with a clear error once they are used up, and let it continue when they are raised', async () => {
    const path = `/api/admin/budgets/${await userId()}`
    expect((await admin.request('PUT', path, { period: 'day', limit_usd: 0.25 })).status).to.equal(200)
    expect(await ask())
      .to.have.property('run')
      .that.includes({ status: 'completed' })
    const failed = await ask()
    expect(failed['failure']).to.include({ code: 'budget_exceeded' })
    expect(String((failed['failure'] as { readonly message: string }).message)).to.match(
      /^The budget of this day is used up: \$0\.2500 of \$0\.25\. It resets at 20\d\d-\d\d-\d\dT00:00:00\.000Z/,
    )
    expect((await ada.request('GET', '/api/usage/budget')).body['budget']).to.include({ period: 'day', limit_usd: 0.25, used_usd: 0.25 })
    await admin.request('PUT', path, { period: 'day', limit_usd: 1 })
    expect(await ask())
      .to.have.property('run')
      .that.includes({ status: 'completed' })
    expect((await admin.request('DELETE', path)).status).to.equal(204)
    expect((await ada.request('GET', '/api/usage/budget')).body).to.deep.equal({ budget: null })
  })

  it('apply by default to users without their own, in tokens too', async () => {
    await admin.request('PUT', '/api/admin/budgets/default', { period: 'month', limit_tokens: 10 })
    expect((await ask())['failure']).to.include({ code: 'budget_exceeded' })
    await admin.request('PUT', `/api/admin/budgets/${await userId()}`, { period: 'month', limit_tokens: 1_000_000 })
    expect(await ask())
      .to.have.property('run')
      .that.includes({ status: 'completed' })
    const listed = (await admin.request('GET', '/api/admin/budgets')).body['items'] as Items
    expect(listed.map(({ user_id: id }) => id)).to.have.members(['default', await userId()])
  })

  it('require a limit and a user', async () => {
    expect((await admin.request('PUT', '/api/admin/budgets/default', { period: 'day' })).body).to.include({ code: 'budget_without_limit' })
    expect((await admin.request('PUT', '/api/admin/budgets/nobody', { period: 'day', limit_usd: 1 })).status).to.equal(404)
    expect((await ada.request('PUT', '/api/admin/budgets/default', { period: 'day', limit_usd: 1 })).status).to.equal(403)
  })
})
