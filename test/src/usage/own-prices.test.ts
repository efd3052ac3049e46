import type { ModelEvent, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'

const usage: ModelUsage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, reasoning_tokens: 0, cost_usd: 9 }
// In dollars, a call costs 0.006 for plain input, 0.002 for cached input and 0.01 for output.
const environment = {
  SERVICE_MODELS__PRIMARY__PRICE__INPUT: '1000',
  SERVICE_MODELS__PRIMARY__PRICE__CACHED_INPUT: '500',
  SERVICE_MODELS__PRIMARY__PRICE__OUTPUT: '2000',
  SERVICE_MODELS__PRIMARY__FALLBACKS: '[{"provider":"upstream","model":"spare","price":{"input":100,"output":0}}]',
}

async function* answers(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'stop', usage }
}

describe('the price of a model in the configuration', () => {
  let agents: AgentsKernel
  let admin: Person
  let ada: Person
  let stream: EventStream
  before(async () => {
    agents = await startAgentsKernel({ environment })
    admin = await agents.person('root')
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const ask = async (): Promise<Readonly<Record<string, unknown>>> => {
    const run = await ada.post(await ada.newChat(), 'Hi')
    return (await endOf(stream, run)).data
  }
  const newestCall = async () =>
    ((await ada.request('GET', '/api/usage/calls?limit=1')).body['items'] as readonly Readonly<Record<string, unknown>>[])[0]

  it('stops a budget in money at the call after the one that used it up', async () => {
    setScript({ answer: answers })
    const { id } = (await ada.request('GET', '/api/auth/me')).body
    await admin.request('PUT', `/api/admin/budgets/${String(id)}`, { period: 'month', limit_usd: 0.05 })
    for (const spent of [0.018, 0.036, 0.054]) {
      expect((await ask())['run']).to.include({ status: 'completed' })
      const { budget } = (await ada.request('GET', '/api/usage/budget')).body
      expect((budget as { readonly used_usd: number }).used_usd).to.be.closeTo(spent, 1e-9)
    }
    expect((await ask())['failure']).to.include({ code: 'budget_exceeded' })
    expect(await newestCall()).to.include({ cost_usd: 0.018, price_version: 'configuration' })
    await admin.request('DELETE', `/api/admin/budgets/${String(id)}`)
  })

  it('is that of the fallback which answered', async () => {
    setScript({
      async *answer(request) {
        if (request.model !== 'spare')
          throw providerError.create({ failure: 'authentication', retryable: false, connection: 'upstream', model: 'm', reason: 'No.' })
        yield* answers()
      },
    })
    expect((await ask())['run']).to.include({ status: 'completed' })
    expect(await newestCall()).to.include({ model: 'spare', fallback: 1, cost_usd: 0.001, price_version: 'configuration' })
  })
})
