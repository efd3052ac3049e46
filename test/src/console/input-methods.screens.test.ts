import { expect } from 'chai'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

/** The keys as browsers report them while a word is being chosen: during the composition, and as Safari does, after its end. */
const orders = ['during the composition', 'after its end'] as const

describe('keys for an input method', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let keyboard: CDPSession
  const posts: string[] = []
  before(async () => {
    setScript({ answer: () => says('Yes.') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    keyboard = await opened.context.newCDPSession(opened.page)
    opened.page.on('request', (request) => {
      if (request.method() !== 'GET') posts.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
  })
  beforeEach(() => {
    posts.length = 0
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const press = async (key: string): Promise<void> => {
    await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 })
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key })
  }
  /** Composes a word in a field and ends that with the key. */
  const compose = async (field: Locator, key: string, order: (typeof orders)[number]): Promise<void> => {
    await field.focus()
    await keyboard.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    if (order === 'during the composition') await press(key)
    await keyboard.send('Input.insertText', { text: '日本' })
    if (order === 'after its end') await press(key)
  }
  const textIn = (field: Locator): Promise<string> => field.inputValue()
  /** What the page before sent while it was left is no request of this one: settings are checked a moment after they are shown. */
  const go = async (page: Page, path: string): Promise<void> => {
    await page.goto(path)
    posts.length = 0
    await page.locator('h1').first().waitFor()
  }

  for (const order of orders) {
    it(`send no message, ${order}; the Enter after them does`, async () => {
      const { page } = opened
      await openChat(opened)
      posts.length = 0
      const field = page.getByRole('textbox', { name: 'Message' })
      await compose(field, 'Enter', order)
      expect(await textIn(field)).to.equal('日本')
      await page.keyboard.press('Enter')
      await page.getByText('Yes.').first().waitFor()
      expect(posts.filter((post) => post.endsWith('/messages'))).to.have.length(1)
      expect(await textIn(field)).to.equal('')
    })

    it(`begin no chat on the start page, ${order}`, async () => {
      const { page } = opened
      await go(page, '/')
      await page.locator('.composer .pick').waitFor()
      const field = page.locator('.composer textarea')
      await compose(field, 'Enter', order)
      expect(await textIn(field)).to.equal('日本')
      expect(posts).to.deep.equal([])
      await field.fill('')
    })

    it(`choose and open nothing in the palette, ${order}`, async () => {
      const { page } = opened
      await go(page, '/memory')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Search or jump to' })
      const chosen = (): Promise<string | null> => field.getAttribute('aria-activedescendant')
      const before = await chosen()
      await field.focus()
      await keyboard.send('Input.imeSetComposition', { text: 'せ', selectionStart: 1, selectionEnd: 1 })
      await press('ArrowDown')
      await press('Enter')
      await press('Escape')
      await keyboard.send('Input.insertText', { text: 's' })
      if (order === 'after its end') await press('Enter')
      expect(await chosen()).to.equal(before)
      expect(new URL(page.url()).pathname).to.equal('/memory')
      expect(await page.getByRole('dialog').count(), 'Escape closed the palette').to.equal(1)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })

    it(`search and clear nothing in lists and settings, ${order}`, async () => {
      const { page } = opened
      await go(page, '/admin/settings')
      const field = page.getByRole('searchbox').first()
      await compose(field, 'Escape', order)
      expect(await textIn(field)).to.equal('日本')
      await page.keyboard.press('Escape')
      expect(await textIn(field)).to.equal('')
    })

    it(`save and close no dialog, ${order}`, async () => {
      const { page } = opened
      await go(page, '/agents')
      await page.getByRole('button', { name: 'New agent' }).first().click()
      const field = page.getByRole('dialog').getByLabel('Name').first()
      await compose(field, 'Enter', order)
      await press('Escape')
      expect(posts).to.deep.equal([])
      expect(await page.getByRole('dialog').count()).to.equal(1)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  }
})
