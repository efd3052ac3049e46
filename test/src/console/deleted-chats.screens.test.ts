import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('deleted and temporary chats in the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript({ answer: () => says('Rhubarb it is.') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: ada })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const inList = (title: string) => opened.page.locator('nav.side section a.nav', { hasText: title })
  const hasFocus = (locator: Locator) => locator.evaluate((element) => element === element.ownerDocument.activeElement)
  const choose = async (item: string): Promise<void> => {
    await opened.page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' }).click()
    await opened.page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const answeredChat = async (title: string): Promise<string> => {
    const chat = await openChat(opened, {}, title)
    await ask(opened, 'Rhubarb or plum?')
    await opened.page.getByText('Rhubarb it is.').waitFor()
    await inList(title).waitFor()
    return chat
  }

  it('asks nothing, and the toast takes a deletion back and opens the chat again', async () => {
    const { page, complaints } = opened
    const chat = await answeredChat('Jam')
    await choose('Delete')
    await page.waitForURL(/\/$/)
    await inList('Jam').waitFor({ state: 'detached' })
    expect(await page.locator('.toast').allInnerTexts()).to.have.length(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(new RegExp(`/chats/${chat}$`))
    await page.getByText('Rhubarb it is.').waitFor()
    await inList('Jam').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('are listed under Chats, restored there, and deleted for good after a question', async () => {
    const { page, open, inspect, complaints } = opened
    await answeredChat('Compote')
    await choose('Delete')
    await page.waitForURL(/\/$/)
    await answeredChat('Crumble')
    await choose('Delete')
    await page.waitForURL(/\/$/)
    await open('/chats')
    await page.getByText('Recently deleted').click()
    await page.waitForURL(/deleted=true/)
    await page.getByText('Crumble').first().waitFor()
    expect(await inspect('chats-deleted')).to.deep.equal([])
    await page.getByRole('button', { name: 'Restore Crumble' }).click()
    await inList('Crumble').waitFor()
    await page.getByRole('button', { name: 'Restore Crumble' }).waitFor({ state: 'detached' })
    expect(await hasFocus(page.getByRole('button', { name: 'Restore Compote' })), 'the row that moved up').to.equal(true)
    await page.getByRole('button', { name: 'Delete Compote for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete Compote for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('heading', { name: 'Nothing was deleted lately' }).waitFor()
    expect(await hasFocus(page.getByRole('heading', { level: 1 }))).to.equal(true)
    expect(await callApi<{ readonly items: readonly unknown[] }>(opened, 'GET', '/api/chats/bin'))
      .to.have.property('items')
      .with.length(0)
    expect(complaints).to.deep.equal([])
  })

  it('begins a temporary chat beside New chat, which says when it goes, outlasts a reload, and can be kept', async () => {
    const { page, open, inspect, complaints } = opened
    await open('/')
    await page.getByRole('button', { name: 'New temporary chat' }).click()
    const pressed = page.getByRole('button', { name: 'Temporary chat', exact: true, pressed: true })
    await pressed.waitFor()
    expect(await inspect('home-temporary')).to.deep.equal([])
    await page.getByRole('textbox', { name: 'What should get done?' }).fill('Which secret fruit?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/)
    const note = page.getByText('Temporary chat: in no list')
    await note.waitFor()
    await page.getByText('Rhubarb it is.').waitFor()
    expect(await inspect('chat-temporary')).to.deep.equal([])
    await page.reload()
    await note.waitFor()
    await page.getByText('Rhubarb it is.').waitFor()
    expect(await inList('Which secret fruit?').count()).to.equal(0)
    await page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' }).click()
    const items = await page.getByRole('menuitem').allInnerTexts()
    for (const gone of ['Pin', 'Archive', 'Share by link']) expect(items).to.not.include(gone)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep this chat' }).click()
    await note.waitFor({ state: 'detached' })
    expect(await hasFocus(page.getByRole('textbox', { name: 'Message' }))).to.equal(true)
    await inList('Which secret fruit?').waitFor()
    await page.getByRole('button', { name: 'New chat', exact: true }).click()
    await page.waitForURL(/\/$/)
    await page.getByRole('button', { name: 'Temporary chat', exact: true, pressed: false }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('asks before it deletes a temporary chat, which no toast brings back', async () => {
    const { page, open, complaints } = opened
    const { id } = await callApi<{ readonly id: string }>(opened, 'POST', '/api/chats', { temporary: true })
    await open(`/chats/${id}`)
    await ask(opened, 'For a moment')
    await page.getByText('Rhubarb it is.').waitFor()
    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await page.waitForURL(/\/$/)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })
})
