import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

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

  it('stream side by side, survive a reload, and the chosen one goes on', async () => {
    const { page, inspect, complaints } = opened
    const gates = { own: createGate(), quick: createGate() }
    const chat = await openChat(opened, { titles: { enabled: false } })
    setScript({ answer: byModel(slow('First', gates.own), slow('Second', gates.quick)) })
    await compareWith('quick-model')
    expect(await inspect('compare-chosen')).to.deep.equal([])
    await ask(opened, 'Which one?')
    await answerOf('recorded-model').getByText('First begins').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    expect(await page.getByRole('button', { name: /Do not compare/ }).count(), 'for one message').to.equal(0)
    expect(await page.locator('.turn.you').count()).to.equal(1)
    expect(await inspect('compare-live')).to.deep.equal([])
    const [left, right] = await Promise.all([answerOf('recorded-model').boundingBox(), answerOf('quick-model').boundingBox()])
    expect(left?.y, 'beside each other').to.equal(right?.y)

    await page.reload()
    await answerOf('recorded-model').getByText('First begins').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    await page.evaluate(`(() => {
      window.told = []
      const region = document.querySelector('.sr[aria-live]')
      window.bothTold = new Promise((resolve) => {
        const note = () => {
          if (region.textContent) window.told.push(region.textContent)
          if (window.told.join(' ').split('has answered.').length > 2) resolve()
        }
        new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true })
      })
    })()`)
    gates.own.open()
    gates.quick.open()
    await answerOf('recorded-model').getByText('First ends').waitFor()
    await answerOf('quick-model').getByText('Second ends').waitFor()
    await page.getByRole('button', { name: 'Stop: quick-model' }).waitFor({ state: 'detached' })
    await page.evaluate('window.bothTold')
    const words = await page.evaluate<string>("window.told.join(' ')")
    for (const model of ['quick-model', 'recorded-model']) expect(words.split(`${model} has answered.`), 'told once').to.have.length(2)
    expect(words).to.not.include('ends')
    expect(await answerOf('quick-model').locator('.note').textContent()).to.match(/15 tokens/)
    expect(await inspect('compare-ended')).to.deep.equal([])

    await page.getByRole('button', { name: 'Go on with this one: quick-model' }).press('Enter')
    await page.getByRole('region', { name: 'Two answers' }).waitFor({ state: 'detached' })
    await page.getByText('Second ends').waitFor()
    expect(await page.getByText('First ends').count()).to.equal(0)
    await page.getByText('2 of 2').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).evaluate((field) => field === field.ownerDocument.activeElement)).to.equal(
      true,
    )
    const script = setScript({ answer: () => says('As you wish.') })
    await ask(opened, 'Go on')
    await page.getByText('As you wish.').waitFor()
    expect(JSON.stringify(script.requests[0]?.messages)).to.include('Second ends').and.not.include('First ends')
    await page.getByRole('button', { name: 'Earlier branch' }).first().click()
    await page.getByText('First ends').waitFor()
    expect((await callApi(opened, 'GET', `/api/chats/${chat}`))['comparison']).to.equal(null)
    expect(complaints).to.deep.equal([])
  })

  it('are under each other on a phone; one can be stopped, and the next message goes on with the first', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    await page.setViewportSize({ width: 360, height: 740 })
    await openChat(opened, { titles: { enabled: false } })
    setScript({ answer: byModel(() => says('The first answer'), slow('Second', gate)) })
    const chooser = page.getByRole('button', { name: /^Model: / })
    const before = await chooser.boundingBox()
    await compareWith('quick-model')
    expect((await chooser.boundingBox())?.width, 'the second model takes no room from the first').to.equal(before?.width)
    await ask(opened, 'Which one?')
    await answerOf('recorded-model').getByText('The first answer').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    expect(await inspect('compare-phone')).to.deep.equal([])
    const [left, right] = await Promise.all([answerOf('recorded-model').boundingBox(), answerOf('quick-model').boundingBox()])
    expect(right?.y ?? 0).to.be.greaterThan(left?.y ?? 0)
    await page.getByRole('button', { name: 'Stop: quick-model' }).click()
    await page.getByRole('button', { name: 'Stop: quick-model' }).waitFor({ state: 'detached' })
    await answerOf('quick-model').getByText('Stopped').waitFor()
    setScript({ answer: () => says('Then this.') })
    await ask(opened, 'Go on')
    await page.getByText('Then this.').waitFor()
    await page.getByRole('region', { name: 'Two answers' }).waitFor({ state: 'detached' })
    await page.getByText('1 of 2').waitFor()
    gate.open()
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(complaints).to.deep.equal([])
  })

  it('are both stopped by the one Stop beside the message', async () => {
    const { page, complaints } = opened
    const gate = createGate()
    await openChat(opened, { titles: { enabled: false } })
    setScript({ answer: byModel(slow('First', gate), slow('Second', gate)) })
    await compareWith('quick-model')
    await ask(opened, 'Which one?')
    await answerOf('recorded-model').getByText('First begins').waitFor()
    await answerOf('quick-model').getByText('Second begins').waitFor()
    await page.locator('.composer').getByRole('button', { name: 'Stop', exact: true }).click()
    for (const model of ['recorded-model', 'quick-model']) await answerOf(model).getByText('Stopped').waitFor()
    gate.open()
    expect(complaints).to.deep.equal([])
  })

  it('one that fails says why, and leaves the other; a chat can begin so', async () => {
    const { page, inspect } = opened
    const fails: Script['answer'] = async function* () {
      yield { type: 'response.started' }
      throw new Error('The stream was cut.')
    }
    setScript({ answer: byModel(() => says('The first answer'), fails) })
    await opened.open('/')
    await compareWith('quick-model')
    await page.getByRole('textbox').first().fill('Which one?')
    await page.keyboard.press('Enter')
    await answerOf('recorded-model').getByText('The first answer').waitFor()
    await answerOf('quick-model').locator('.chat-failed').waitFor()
    expect(await answerOf('quick-model').getByRole('button', { name: 'Try again' }).count()).to.equal(0)
    expect(await inspect('compare-failed')).to.deep.equal([])
  })
})
