import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage, widths } from './open-page.js'

const environment: Record<string, string> = {
  SERVICE_MODELS__QUICK__PROVIDER: 'upstream',
  SERVICE_MODELS__QUICK__MODEL: 'quick-model',
  SERVICE_MODELS__QUICK__API: 'completions',
}

/** What each model does. */
const byModel =
  (own: Script['answer'], quick: Script['answer']): Script['answer'] =>
  (request, signal) =>
    request.model === 'quick-model' ? quick(request, signal) : own(request, signal)

describe('two models compared in the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment })
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const answerOf = (model: string) => opened.page.getByRole('region', { name: model, exact: true })
  /** Chooses the second model with the keyboard alone. */
  const compareWith = async (model: string): Promise<void> => {
    const { page } = opened
    await page.getByRole('button', { name: /^Model: / }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Find a model' }).waitFor()
    await page.getByRole('option', { name: /Compare with…/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const field = page.getByRole('combobox', { name: 'Find the second model' })
    await field.waitFor()
    await field.fill(model)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Do not compare with ${model}` }).waitFor()
  }
  const slow = (name: string, gate: ReturnType<typeof createGate>): Script['answer'] =>
    async function* () {
      yield { type: 'text.delta', part: 0, text: `${name} begins` }
      await gate.opened
      yield* says(`${name} ends`)
    }
  const failing = (name: string, gate: ReturnType<typeof createGate>): Script['answer'] =>
    async function* ({ connection, model }) {
      yield { type: 'text.delta', part: 0, text: `${name} begins` }
      await gate.opened
      throw providerError.create({
        ...{ failure: 'quota_exceeded', retryable: false, connection: connection.handle, model },
        reason: 'The credit of this key is used up.',
      })
    }

  it('stream side by side, survive a reload, and the chosen one goes on where the other has failed', async () => {
    const { page, inspect, complaints } = opened
    const gates = { own: createGate(), quick: createGate() }
    const field = page.getByRole('textbox', { name: 'Message' })
    const places = () => Promise.all(['recorded-model', 'quick-model'].map((model) => answerOf(model).boundingBox()))
    const chat = await openChat(opened, { titles: { enabled: false } })
    setScript({ answer: byModel(failing('First', gates.own), slow('Second', gates.quick)) })
    await page.setViewportSize(widths.phone)
    const chooser = page.getByRole('button', { name: /^Model: / })
    const before = await chooser.boundingBox()
    await compareWith('quick-model')
    expect((await chooser.boundingBox())?.width, 'the second model takes no room from the first').to.equal(before?.width)
    expect(await inspect('compare-chosen')).to.deep.equal([])
    await ask(opened, 'Which one?')
    await answerOf('recorded-model').getByText('First begins').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    expect(await page.getByRole('button', { name: /Do not compare/ }).count(), 'for one message').to.equal(0)
    const [upper, lower] = await places()
    expect(lower?.y ?? 0, 'under each other').to.be.greaterThan(upper?.y ?? 0)
    await page.setViewportSize(widths.wide)
    const [left, right] = await places()
    expect(left?.y, 'beside each other').to.equal(right?.y)
    expect(await inspect('compare-live')).to.deep.equal([])

    await page.reload()
    await answerOf('recorded-model').getByText('First begins').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    gates.own.open()
    gates.quick.open()
    await answerOf('recorded-model').locator('.chat-failed').waitFor()
    await answerOf('quick-model').getByText('Second ends').waitFor()
    await page.getByRole('button', { name: 'Stop: quick-model' }).waitFor({ state: 'detached' })
    expect(await inspect('compare-ended')).to.deep.equal([])

    await page.getByRole('button', { name: 'Go on with this one: quick-model' }).press('Enter')
    await page.getByRole('region', { name: 'Two answers' }).waitFor({ state: 'detached' })
    await page.getByText('2 of 2').waitFor()
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).to.equal(true)
    const script = setScript({ answer: () => says('As you wish.') })
    await ask(opened, 'Go on')
    await page.getByText('As you wish.').waitFor()
    expect(JSON.stringify(script.requests[0]?.messages)).to.include('Second ends').and.not.include('First begins')
    await page.getByRole('button', { name: 'Earlier branch' }).first().click()
    await page.getByText('First begins').waitFor()
    expect((await callApi(opened, 'GET', `/api/chats/${chat}`))['comparison']).to.equal(null)
    expect(complaints).to.deep.equal([])
  })
})
