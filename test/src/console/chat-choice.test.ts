import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const environment = Object.fromEntries(
  ['quick', 'deep'].flatMap((name) => [
    [`SERVICE_MODELS__${name.toUpperCase()}__PROVIDER`, 'upstream'],
    [`SERVICE_MODELS__${name.toUpperCase()}__MODEL`, `${name}-model`],
    [`SERVICE_MODELS__${name.toUpperCase()}__API`, 'completions'],
  ]),
)

describe('the choice of agent and model in the chat of the console', function () {
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
  const choose = async (page: Page, model: string): Promise<void> => {
    await page.locator('.pick-model').click()
    await page.getByRole('option', { name: `${model}-model` }).click()
  }
  const shown = (page: Page, model: string) => page.locator('.pick-model', { hasText: model })
  const storedModel = async (id: string) => (await callApi(opened, 'GET', `/api/chats/${id}`))['model']
  /** Holds the changes of chats until the gate opens. */
  const holdChanges = async (): Promise<{ readonly open: () => void }> => {
    const gate = createGate()
    await opened.context.route('**/api/chats/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await gate.opened
      await route.continue()
    })
    return gate
  }
  afterEach(() => opened.context.unrouteAll({ behavior: 'wait' }))

  it('is that of the message behind it, which does not wait for the chat to be changed', async () => {
    const { page, complaints } = opened
    const script = setScript({ answer: () => says('Deep thoughts.') })
    const id = await openChat(opened)
    const gate = await holdChanges()
    await choose(page, 'deep')
    await shown(page, 'deep').waitFor()
    await ask(opened, 'Think')
    await page.getByText('Deep thoughts.').waitFor()
    expect(script.requests.map(({ model }) => model)).to.deep.equal(['deep-model'])
    expect(await storedModel(id)).to.equal('deep')
    gate.open()
    await page.getByRole('button', { name: 'Answer again' }).waitFor()
    await choose(page, 'quick')
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('2 of 2').waitFor()
    expect(script.requests.map(({ model }) => model)).to.deep.equal(['deep-model', 'quick-model'])
    expect(complaints).to.deep.equal([])
  })

  it('is taken back with the reason when it is refused, and follows other tabs', async () => {
    const { page, context } = opened
    setScript()
    const id = await openChat(opened)
    await context.route('**/api/chats/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await route.fulfill({ status: 422, json: { status: 422, code: 'invalid_request', title: 'Invalid', detail: 'No such group here.' } })
    })
    await choose(page, 'deep')
    await page.locator('.toast', { hasText: 'No such group here.' }).waitFor()
    await shown(page, 'recorded-model').waitFor()
    await context.unrouteAll({ behavior: 'wait' })
    await callApi(opened, 'PATCH', `/api/chats/${id}`, { model: 'quick' })
    await shown(page, 'quick').waitFor()
  })

  it('stays with each message that waits for the end of an answer', async () => {
    const { page, inspect } = opened
    const gate = createGate()
    const script = setScript({
      async *answer(request) {
        if (script.requests.length === 1) await gate.opened
        yield* says(`By ${request.model}.`)
      },
    })
    const id = await openChat(opened)
    await ask(opened, 'One')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await choose(page, 'deep')
    await ask(opened, 'Two')
    await page.locator('.turn.pending', { hasText: 'Sent after this answer' }).waitFor()
    await choose(page, 'quick')
    expect(await inspect('chat-waiting')).to.deep.equal([])
    await page.reload()
    await page.locator('.turn.pending', { hasText: 'Sent after this answer' }).waitFor()
    gate.open()
    await page.getByText('By deep-model.').waitFor()
    await page.locator('.turn.pending').waitFor({ state: 'detached' })
    expect(script.requests.map(({ model }) => model)).to.deep.equal(['recorded-model', 'deep-model'])
    expect(await storedModel(id)).to.equal('deep')
  })

  it('stays with a message that was written without a connection', async () => {
    const { page, context } = opened
    const script = setScript({ answer: () => says('There you are.') })
    const id = await openChat(opened)
    await choose(page, 'quick')
    await context.route('**/api/chats/**', (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
    await ask(opened, 'Offline')
    await page.locator('.turn.pending').waitFor()
    await choose(page, 'deep')
    await shown(page, 'deep').waitFor()
    await context.unrouteAll({ behavior: 'wait' })
    const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.getByText('There you are.').waitFor()
    expect(script.requests.map(({ model }) => model)).to.deep.equal(['quick-model'])
    await shown(page, 'deep').waitFor()
    await stored
    expect(await storedModel(id)).to.equal('deep')
  })
})
