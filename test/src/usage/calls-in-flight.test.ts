import { quotasToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'

describe('concurrent model calls', () => {
  let agents: AgentsKernel
  let ada: Person
  let bob: Person

  before(async () => {
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    bob = await agents.person('bob')
  })
  after(() => agents?.close())

  it('are limited to 64 per user; further ones wait, and another user’s calls overtake them', async () => {
    const gate = createGate()
    let open = 0
    let most = 0
    let reached = (): void => undefined
    const full = new Promise<void>((resolve) => {
      reached = resolve
    })
    const answerHeld = async function* () {
      open += 1
      most = Math.max(most, open)
      if (open === 64) reached()
      await gate.opened
      open -= 1
      yield* says('An answer.')
    }
    setScript({ answer: (request) => (JSON.stringify(request.messages).includes('of bob') ? says('At once.') : answerHeld()) })
    const ask = async (person: Person, content: string): Promise<number> =>
      (await person.request('POST', '/v1/chat/completions', { model: 'primary', messages: [{ role: 'user', content }] })).status

    const adas = Array.from({ length: 100 }, () => ask(ada, 'A question of ada'))
    await full
    expect(await ask(bob, 'A question of bob')).to.equal(200)
    expect(open).to.equal(64)
    gate.open()
    expect(new Set(await Promise.all(adas))).to.deep.equal(new Set([200]))
    expect(most).to.equal(64)
    const limit = [...agents.kernel.container.resolve(quotasToken).limits()].find(({ definition }) => definition.name === 'model-calls')
    expect(limit?.total()).to.equal(0)
  })
})
