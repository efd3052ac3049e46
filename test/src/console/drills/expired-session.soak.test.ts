import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { createGate } from '../../agents/support/client-view.js'
import { says, setScript } from '../../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { answersOn, messageField, newChat, saidOn, storedMessages, textOf, untilQuiet, write } from '../support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Ends the session of a page as another device would: the page is not told. */
const endSession = "fetch('/api/auth/logout', { method: 'POST' }).then((answer) => answer.status)"

describe('a chat of the console whose session expires', function () {
  this.timeout(200_000)
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

  it('while one types keeps the text under the sign-in, and sends once what was on its way', async () => {
    const { page, context, open, inspect } = opened
    setScript({ answer: () => says('Welcome back.') })
    const chatId = await newChat(page)
    await open(`/chats/${chatId}`)
    // The refusal of the message is what finds out, not that of the event stream.
    await context.route('**/api/events', (route) => route.abort())
    const held = createGate()
    const attempts: number[] = []
    await context.route('**/api/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await held.opened
      const answer = await route.fetch()
      attempts.push(answer.status())
      await route.fulfill({ response: answer })
    })
    // Written before the end, since any other request could find out first; it leaves the browser after it.
    await write(page, 'Sent too late')
    await messageField(page).fill('half a sentence')
    expect(await page.evaluate(endSession)).to.equal(204)
    held.open()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    expect(await page.locator('.turn.pending').innerText()).to.contain('Sent too late')
    expect(await inspect('chat-expired')).to.deep.equal([])
    await context.unroute('**/api/events')
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Welcome back.').waitFor({ timeout: 90_000 })
    await untilQuiet(page)
    expect(attempts).to.deep.equal([401, 202])
    expect(await messageField(page).inputValue()).to.equal('half a sentence')
    expect(await saidOn(page)).to.deep.equal(['Sent too late'])
    expect(await answersOn(page)).to.deep.equal(['Welcome back.'])
    expect((await storedMessages(page, chatId)).map(textOf)).to.deep.equal(['Sent too late', 'Welcome back.'])
    await context.unroute('**/api/chats/*/messages')
  })

  it('in the middle of an answer shows the whole of it after the sign-in', async () => {
    const { page, open } = opened
    const gate = createGate()
    const text = 'The beginning and the end.'
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: text.slice(0, 14) }
        await gate.opened
        yield { type: 'text.delta', part: 0, text: text.slice(14) }
        const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
        yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
      },
    })
    await open(`/chats/${await newChat(page)}`)
    await write(page, 'Begin')
    await page.getByText('The beginning').waitFor()
    expect(await page.evaluate(endSession)).to.equal(204)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    gate.open()
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(text).waitFor()
    await untilQuiet(page)
    expect(await answersOn(page)).to.deep.equal([text])
  })
})
