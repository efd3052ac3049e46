import { type ModelEvent, providerError } from '@agent-service/sdk/contracts/provider-adapter'
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
    const target = (model: string) => ({ provider: 'upstream', model, api: 'completions' })
    const primary = { ...target('recorded-model'), fallbacks: [target('spare-model')] }
    agents = await startAgentsKernel({ environment: { SERVICE_MODELS: JSON.stringify({ primary }) } })
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
    await page.locator('.chat-pulse', { hasText: /Waiting for recorded-model +\d+ secs?/ }).waitFor()
    expect(await inspect('waiting')).to.deep.equal([])
    gate.open()
    await page.getByText('At last.').waitFor()
    expect(await page.locator('.chat-pulse').count()).to.equal(0)
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

  it('are of another model: the turn says of which, in place of which, and why, also after a reload', async () => {
    const { page, inspect, complaints } = opened
    setScript({
      async *answer({ model, connection }) {
        if (model === 'spare-model') yield* says('From the spare one.')
        else
          throw providerError.create({
            ...{ failure: 'quota_exceeded', retryable: false, connection: connection.handle, model },
            reason: 'The credit of this key is used up.',
          })
      },
    })
    await openChat(opened)
    await ask(opened, 'Who are you?')
    const line = page.getByText('upstream/spare-model answered in place of upstream/recorded-model: The credit of this key is used up.', {
      exact: true,
    })
    await line.waitFor()
    expect(await inspect('fallback')).to.deep.equal([])
    await page.reload()
    await page.getByText('From the spare one.').waitFor()
    await line.waitFor()
    setScript({ answer: () => says('From the wanted one.') })
    await ask(opened, 'And now?')
    await page.getByText('From the wanted one.').waitFor()
    await page.locator('.turn.agent .chat-acts').nth(1).waitFor({ state: 'attached' })
    expect(await page.locator('.chat-fallback').count()).to.equal(1)
    expect(complaints).to.deep.equal([])
  })
})
