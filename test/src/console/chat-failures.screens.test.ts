import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

describe('answers of the console that do not come', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  it('are waited for with the name of the model, until the first word', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        await gate.opened
        yield* says('At last.')
      },
    })
    await openChat(opened)
    await ask(opened, 'Take your time')
    await page.getByText(/^Waiting for the first word of recorded-model, \d+ s$/).waitFor()
    expect(await inspect('waiting')).to.deep.equal([])
    gate.open()
    await page.getByText('At last.').waitFor()
    expect(await page.getByText(/^Waiting for the first word/).count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  it('are named as empty, and asked for again by a button', async () => {
    const { page, inspect, complaints } = opened
    setScript({
      async *answer(): AsyncGenerator<ModelEvent> {
        yield { type: 'response.finished', content: [], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Say something')
    const failed = page.getByRole('alert').filter({ hasText: 'The model returned an empty answer.' })
    await failed.waitFor()
    expect(await inspect('empty answer')).to.deep.equal([])
    setScript({ answer: () => says('Something.') })
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Something.').waitFor()
    expect(await failed.count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })
})
