import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the chats of the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: ada })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const inList = (of: ConsolePage, title: string) => of.page.locator('nav.side a.nav', { hasText: title })
  const choose = async (item: string): Promise<void> => {
    await opened.page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' }).click()
    await opened.page.getByRole('menuitem', { name: item }).click()
  }

  it('follow in every tab what is created, renamed, pinned, archived and deleted in one', async () => {
    const { page, inspect, context, complaints } = opened
    const other = { ...opened, page: await context.newPage() }
    await other.page.goto('/chats')
    // Pages behind another one are drawn once a second.
    await page.bringToFront()
    await openChat(opened, {}, 'Plan for Saturday')
    await inList(other, 'Plan for Saturday').waitFor()
    await page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' }).click()
    expect(await inspect('chat-menu')).to.deep.equal([])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    expect(await inspect('chat-rename')).to.deep.equal([])
    await page.getByRole('dialog').getByRole('textbox').fill('Plan for Sunday')
    await page.keyboard.press('Enter')
    await inList(other, 'Plan for Sunday').waitFor()
    expect(await page.locator('.chat > .bar h1').innerText()).to.equal('Plan for Sunday')
    await choose('Pin')
    await other.page.locator('nav.side section', { hasText: 'Pinned' }).getByText('Plan for Sunday').waitFor()
    await choose('Archive')
    await inList(other, 'Plan for Sunday').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await inList(other, 'Plan for Sunday').waitFor()
    await other.page.goto(page.url())
    await other.page.locator('.chat').waitFor()
    await choose('Delete')
    await page.waitForURL(/\/$/)
    await other.page.waitForURL(/\/$/)
    await inList(other, 'Plan for Sunday').waitFor({ state: 'detached' })
    await other.page.close()
    expect(complaints).to.deep.equal([])
  })

  it('are found by words of titles and messages, and a hit opens at its message', async () => {
    const { page, open, inspect, complaints } = opened
    let number = 0
    setScript({ answer: () => says(`The answer ${++number} mentions a rhinoceros.`) })
    await openChat(opened)
    await ask(opened, 'Which animal?')
    await page.getByText('The answer 1 mentions a rhinoceros.').waitFor()
    await open('/chats')
    await page.getByRole('searchbox', { name: 'Search in chats' }).fill('rhinoceros')
    await page.locator('.chats-snippet mark', { hasText: 'rhinoceros' }).waitFor()
    expect(page.url()).to.contain('q=rhinoceros')
    expect(await inspect('chats-found')).to.deep.equal([])
    await page.locator('.chats-hit').first().click()
    await page.locator('.turn.found').waitFor()
    await open('/chats?q=unheard-of')
    await page.getByRole('heading', { name: 'Nothing found for “unheard-of”' }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('are switched to the branch of a hit that is not shown, and say when a message is gone', async () => {
    const { page, open, complaints } = opened
    let number = 0
    setScript({ answer: () => says(`Attempt ${++number} mentions a pangolin${number}.`) })
    const chatId = await openChat(opened)
    await ask(opened, 'Which one?')
    await page.getByText('Attempt 1 mentions').waitFor()
    await page.locator('.turn.agent').hover()
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('Attempt 2 mentions').waitFor()
    await page.getByText('2 of 2').waitFor()
    await open('/chats?q=pangolin1')
    await page.locator('.chats-hit').click()
    await page.locator('.turn.found', { hasText: 'Attempt 1 mentions' }).waitFor()
    await page.getByText('1 of 2').waitFor()
    await open(`/chats/${chatId}?message=00000000-0000-7000-8000-000000000000`)
    await page.locator('.toast').getByText('This message is not there any more.').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('belong to spaces that one makes, filters by and deletes', async () => {
    const { page, open, inspect, complaints } = opened
    await openChat(opened, {}, 'Order the tiles')
    await choose('Move to a space')
    await page.getByRole('radio', { name: 'New space' }).check()
    await page.getByRole('textbox', { name: 'Name of the space' }).fill('Kitchen')
    expect(await inspect('chat-move')).to.deep.equal([])
    await page.getByRole('button', { name: 'Save' }).click()
    await inList(opened, 'Kitchen').click()
    await page.locator('.chats-row', { hasText: 'Order the tiles' }).waitFor()
    expect(await page.locator('nav.side [aria-current]').allInnerTexts()).to.deep.equal(['Kitchen'])
    expect(await page.locator('.chats-row').count()).to.equal(1)
    expect(await inspect('chats-space')).to.deep.equal([])
    setScript({ answer: () => says('Blue ones.') })
    await page.getByLabel('What should get done?').fill('Which tiles?')
    await page.keyboard.press('Enter')
    await page.getByText('Blue ones.').waitFor()
    await inList(opened, 'Kitchen').click()
    await page.locator('.chats-row', { hasText: 'Which tiles?' }).waitFor()
    await page.getByRole('button', { name: 'Change this space' }).click()
    await page.getByRole('textbox', { name: 'Context' }).fill('The kitchen measures 3 by 4 metres.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { items } = await callApi<{ readonly items: readonly { readonly context: string }[] }>(opened, 'GET', '/api/spaces')
    expect(items.map(({ context }) => context)).to.deep.equal(['The kitchen measures 3 by 4 metres.'])
    await page.getByRole('button', { name: 'Change this space' }).click()
    await page.getByRole('button', { name: 'Delete this space' }).click()
    await page.getByRole('button', { name: 'Delete space', exact: true }).click()
    await inList(opened, 'Kitchen').waitFor({ state: 'detached' })
    await open('/chats')
    await page.locator('.chats-row', { hasText: 'Which tiles?' }).waitFor()
    expect(await inspect('chats')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('speak German too', async () => {
    const german = await openPage(agents.kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    const { page, open, inspect, close } = german
    await open('/chats?archived=true')
    await page.getByRole('heading', { name: 'Das Archiv ist leer' }).waitFor()
    expect(await inspect('chats-german')).to.deep.equal([])
    await open('/')
    await page.getByRole('heading', { name: 'Was steht an?' }).waitFor()
    await page.locator('.pick').waitFor()
    expect(await inspect('home-german')).to.deep.equal([])
    setScript({ answer: () => says('Guten Tag.') })
    await page.getByLabel('Was steht an?').fill('Sag etwas')
    await page.keyboard.press('Enter')
    await page.locator('.turn.agent .note', { hasText: '15 Tokens' }).waitFor()
    await page.locator('.chat-acts').first().waitFor()
    expect(await inspect('chat-german')).to.deep.equal([])
    await close()
  })
})
