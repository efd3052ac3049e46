import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const lists = ['/api/spaces', '/api/agents', '/api/models', '/api/approvals']

describe('lists of the console that cannot be read', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let broken = false
  before(async () => {
    setScript({ answer: () => says('Yes.') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    await opened.context.route(
      (url) => lists.includes(url.pathname),
      (route) => (broken && route.request().method() === 'GET' ? route.abort() : route.continue()),
    )
    await callApi(opened, 'POST', '/api/spaces', { name: 'Garden' })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  beforeEach(() => {
    broken = false
  })

  /** What was not caught; the browser itself reports the requests that fail. */
  const uncaught = (): readonly string[] => opened.complaints.filter((text) => text.startsWith('uncaught'))
  const tryAgain = async (): Promise<void> => {
    broken = false
    const press = "for (const each of document.querySelectorAll('button')) if (each.textContent.trim() === 'Try again') each.click()"
    await opened.page.evaluate(press)
    await opened.page.getByRole('button', { name: 'Try again' }).first().waitFor({ state: 'detached' })
  }

  it('say so on the start page and in the sidebar, and are there after another try', async () => {
    const { page, open, inspect } = opened
    broken = true
    await open('/')
    await page.locator('.composer').getByText('Agents could not be read.').waitFor()
    await page.locator('nav.side section', { hasText: 'Spaces' }).getByRole('alert').waitFor()
    expect(await inspect('read-failures')).to.deep.equal([])
    await tryAgain()
    await page.locator('nav.side a', { hasText: 'Garden' }).waitFor()
    await page.locator('.composer .pick').waitFor()
    expect(uncaught()).to.deep.equal([])
  })

  it('say so on the page of the chats and where a chat is moved', async () => {
    const { page, open } = opened
    const id = await openChat(opened, {}, 'Order the seeds')
    broken = true
    await open('/chats')
    await page.locator('.page').getByText('The spaces could not be read.', { exact: false }).waitFor()
    await tryAgain()
    await page.getByRole('combobox', { name: 'Space' }).waitFor()
    await open(`/chats/${id}`)
    const actions = page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' })
    await actions.waitFor()
    broken = true
    await actions.click()
    await page.getByRole('menuitem', { name: 'Move to a space' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    broken = false
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor({ state: 'detached' })
    expect(uncaught()).to.deep.equal([])
  })

  it('keep what was read before when events were lost and reading again fails', async () => {
    const { page, open } = opened
    await open('/')
    await page.locator('nav.side a', { hasText: 'Garden' }).waitFor()
    const { id } = await callApi<{ readonly id: string }>(opened, 'GET', '/api/auth/me')
    broken = true
    await page.evaluate((user) => {
      const tabs = new BroadcastChannel(`console.events.${user}`)
      tabs.postMessage({ kind: 'event', event: { event: 'reset', id: '', data: {} } })
      tabs.close()
    }, id)
    await page.locator('nav.side section', { hasText: 'Spaces' }).getByRole('alert').waitFor()
    expect(await page.locator('nav.side a', { hasText: 'Garden' }).count()).to.equal(1)
    await tryAgain()
    expect(uncaught()).to.deep.equal([])
  })
})
