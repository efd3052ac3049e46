import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, looks, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('sending and keys in the chat of the console', function () {
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
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const focusedField = (page: Page) => field(page).and(page.locator(':focus'))
  /** A model that writes until it is stopped, and how often the service was asked for that. */
  const endless = async (words: string): Promise<{ readonly stops: () => number }> => {
    setScript({
      async *answer(_request, signal) {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: words }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    let asked = 0
    await opened.context.route('**/cancel', async (route) => {
      asked += 1
      await route.continue()
    })
    return { stops: () => asked }
  }

  it('go on in the field after the first message, and nothing that is typed meanwhile is lost', async () => {
    const { page, context, complaints } = opened
    setScript({ answer: () => says('Welcome.') })
    await opened.open('/')
    const home = page.getByLabel('What should get done?')
    await home.and(page.locator(':focus')).waitFor()
    const [sent, gate] = [createGate(), createGate()]
    await context.route('**/api/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      sent.open()
      await gate.opened
      await route.continue()
    })
    await page.keyboard.type('The first question')
    await page.keyboard.press('Enter')
    await sent.opened
    await page.keyboard.type('And the ')
    gate.open()
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.keyboard.type('second')
    await focusedField(page).waitFor()
    expect(await field(page).inputValue()).to.equal('And the second')
    await page.getByText('Welcome.').waitFor()
    await focusedField(page).waitFor()
    await context.unroute('**/api/chats/*/messages')
    await page.keyboard.press('Enter')
    await page.locator('.turn.you', { hasText: 'And the second' }).waitFor()
    await opened.open('/')
    expect(await home.inputValue(), 'what went with the chat').to.equal('')
    expect(complaints).to.deep.equal([])
  })

  it('show a message once while its event has come and the answer to its request has not', async () => {
    const { page, context, complaints } = opened
    setScript({ answer: () => says('Twice is too often.') })
    await openChat(opened)
    const answer = createGate()
    await context.route('**/api/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const response = await route.fetch()
      await answer.opened
      await route.fulfill({ response })
    })
    await ask(opened, 'Say it')
    await ask(opened, 'Say it')
    await page.getByText('Twice is too often.').first().waitFor()
    expect(await page.locator('.turn.you:not(.pending)', { hasText: 'Say it' }).count()).to.equal(1)
    expect(await page.locator('.turn.you.pending').count(), 'the second one').to.equal(1)
    answer.open()
    await page.locator('.turn.you:not(.pending)').nth(1).waitFor()
    await page.locator('.turn.you.pending').waitFor({ state: 'detached' })
    expect(await page.locator('.turn.you').count()).to.equal(2)
    await context.unroute('**/api/chats/*/messages')
    expect(complaints).to.deep.equal([])
  })

  it('keep the draft and the focus over a reload', async () => {
    const { page } = opened
    await openChat(opened)
    await field(page).focus()
    await page.keyboard.type('Half a sen')
    await page.reload()
    await focusedField(page).waitFor()
    await page.keyboard.type('tence')
    expect(await field(page).inputValue()).to.equal('Half a sentence')
    await field(page).fill('')
  })

  it('bring the own message into view, and leave who reads above in peace', async () => {
    const { page, inspect } = opened
    const [gate, end] = [createGate(), createGate()]
    const lines = (from: string): string => Array.from({ length: 30 }, (_, index) => `${from} ${index}\n\n`).join('')
    const words = [lines('begun'), lines('grown'), 'That is all.']
    const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: words[0] ?? '' }
        await gate.opened
        yield { type: 'text.delta', part: 0, text: words[1] ?? '' }
        await end.opened
        yield { type: 'text.delta', part: 0, text: words[2] ?? '' }
        yield { type: 'response.finished', content: [{ type: 'text', text: words.join('') }], stop_reason: 'stop', usage }
      },
    })
    const id = await importChat(page, 40, (index) => `Message ${index} ${'and more of it '.repeat(20)}`)
    await opened.open(`/chats/${id}`)
    const scroll = page.locator('.chat-scroll')
    const newest = page.getByRole('button', { name: 'Jump to the newest' })
    const up = (by: number) => scroll.evaluate((element, way) => element.scrollBy(0, -way), by)
    await page.getByText('Message 39').waitFor()
    await up(1500)
    await newest.waitFor()
    await ask(opened, 'Where am I?')
    await newest.waitFor({ state: 'detached' })
    await page.getByText('begun 29').waitFor()
    expect(await scroll.evaluate((element) => element.scrollTop), 'the end is followed').to.equal(0)
    await up(600)
    await newest.waitFor()
    const place = () => page.getByText('begun 2', { exact: true }).evaluate((element) => element.getBoundingClientRect().top)
    const before = await place()
    gate.open()
    await newest.getByRole('img', { name: 'New since then' }).waitFor()
    await page.getByText('grown 29').waitFor({ state: 'attached' })
    expect(Math.abs((await place()) - before), 'what is read stays where it is').to.be.lessThan(2)
    expect(await inspect('chat-newest')).to.deep.equal([])
    await newest.click()
    await newest.waitFor({ state: 'detached' })
    await scroll.and(page.locator(':focus')).waitFor()
    end.open()
    await page.getByText('That is all.').waitFor()
    expect(await scroll.evaluate((element) => element.scrollTop)).to.equal(0)
  })

  it('lead to the card that waits, and answer only there', async () => {
    const { page, inspect, complaints } = opened
    const ran: string[] = []
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__unsafe') : says('It is done.')),
      async tool(name) {
        ran.push(name)
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    await openChat(opened, { tools: ['tool__unsafe'], approval: { '*': 'always' } })
    await ask(opened, 'Clean up')
    const card = page.locator('.ask')
    await card.waitFor()
    await focusedField(page).waitFor()
    expect(await card.locator('.btn kbd').first().isVisible(), 'a key that does not work here').to.equal(false)
    expect(await card.getByText('F2').isVisible()).to.equal(true)
    await page.keyboard.type('a d')
    expect(await field(page).inputValue()).to.equal('a d')
    expect(await card.count()).to.equal(1)
    await page.keyboard.press('F2')
    await card.and(page.locator(':focus')).waitFor()
    expect(await card.locator('.btn kbd').first().isVisible()).to.equal(true)
    expect(await card.getByText('F2').isVisible()).to.equal(false)
    expect(await inspect('chat-card-keys')).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.keyboard.press('d')
    await page.keyboard.type('no, a bad day')
    await page.keyboard.press('Escape')
    await card.getByRole('button', { name: 'Deny…' }).and(page.locator(':focus')).waitFor()
    expect(ran).to.deep.equal([])
    await page.keyboard.press('a')
    await page.getByText('It is done.').waitFor()
    expect(ran).to.deep.equal(['tool__unsafe'])
    await focusedField(page).waitFor()
    await field(page).fill('')
    expect(complaints).to.deep.equal([])
  })

  it('choose among the answers to a question by their numbers', async () => {
    const { page } = opened
    setScript({
      answer: (request) =>
        resultsIn(request).length === 0
          ? callsWith({ name: 'ask_user', arguments: { question: 'Which wood?', options: ['Oak', 'Beech'] } })
          : says('Beech it is.'),
    })
    const id = await openChat(opened, { tools: ['ask_user'] })
    await ask(opened, 'Build a shelf')
    await page.locator('.ask').waitFor()
    await page.keyboard.press('F2')
    await page.keyboard.press('3')
    await page.keyboard.press('2')
    await page.getByText('Beech it is.').waitFor()
    expect(JSON.stringify(await callApi(opened, 'GET', `/api/chats/${id}/messages`))).to.contain('Beech')
  })

  it('end the answer with Escape, once, after what lies over it was closed', async () => {
    const { page, context } = opened
    const { stops } = await endless('Counting: one')
    await openChat(opened)
    await page.keyboard.press('Escape')
    await ask(opened, 'Count')
    await page.getByText('Counting: one').waitFor()
    await page.getByRole('button', { name: 'Actions of this chat' }).click()
    await page.locator('.menu-pop:popover-open').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.menu-pop:popover-open').waitFor({ state: 'detached' })
    await field(page).focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusedField(page).waitFor()
    expect(stops()).to.equal(0)
    const gate = createGate()
    await context.unroute('**/cancel')
    let asked = 0
    await context.route('**/cancel', async (route) => {
      asked += 1
      await gate.opened
      await route.continue()
    })
    await page.keyboard.press('Escape')
    await page.getByRole('status').filter({ hasText: 'Stopping' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    gate.open()
    await page.getByRole('status').filter({ hasText: 'Stopped' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    expect(asked).to.equal(1)
    await context.unroute('**/cancel')
  })

  it('stand in the list of shortcuts, in both languages', async () => {
    const { page } = opened
    setScript()
    const id = await openChat(opened)
    await page.locator('.chat-scroll').focus()
    await page.keyboard.press('?')
    const sheet = page.locator('.sheet')
    await sheet.getByText('Stop the answer').waitFor()
    expect((await sheet.locator('kbd').allInnerTexts()).filter((key) => ['Esc', 'F2'].includes(key))).to.deep.equal(['Esc', 'F2'])
    const german = await openPage(agents.kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    await german.open(`/chats/${id}`)
    await german.page.locator('.chat-scroll').focus()
    await german.page.keyboard.press('?')
    await german.page.locator('.sheet').getByText('Antwort anhalten').waitFor()
    await german.close()
  })

  for (const look of [looks[0], looks[3]])
    it(`lead from the sign-in page to a sent message with five tabs at most: ${look.size}`, async () => {
      setScript({ answer: () => says('Good evening.') })
      const { page, open, close } = await openPage(agents.kernel, { look })
      await open('/')
      let tabs = 0
      const to = async (isThere: string): Promise<void> => {
        while ((await page.locator(isThere).and(page.locator(':focus')).count()) === 0) {
          tabs += 1
          await page.keyboard.press('Tab')
        }
      }
      await to('input[autocomplete~="username"]')
      await page.keyboard.type(ada.username)
      await to('input[type="password"]')
      await page.keyboard.type(ada.password)
      await page.keyboard.press('Enter')
      await page.locator('nav.side').waitFor({ state: 'attached' })
      await page.getByLabel('What should get done?').waitFor()
      await to('.composer textarea')
      await page.keyboard.type('By the keyboard alone')
      await page.keyboard.press('Enter')
      await page.getByText('Good evening.').waitFor()
      expect(tabs).to.be.at.most(5)
      await close()
    })
})
