import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { createGate } from '../../agents/support/client-view.js'
import { says, setScript } from '../../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { answersOn, callAs, messageField, newChat, saidOn, storedMessages, textOf, untilQuiet, write } from '../support/chat-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

describe('two tabs of the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let one: Page
  let two: Page
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    one = opened.page
    two = await opened.context.newPage()
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const openInBoth = async (target: string): Promise<void> => {
    for (const tab of [one, two]) {
      await tab.goto(target)
      await tab.locator('h1').first().waitFor()
    }
  }

  it('in one chat show the same, whoever writes, keep a draft each, and send each message once', async () => {
    const gate = createGate()
    let answer = 0
    setScript({
      async *answer() {
        answer += 1
        const text = `Answer ${answer}, to the end.`
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: text.slice(0, 8) }
        if (answer === 1) await gate.opened
        yield { type: 'text.delta', part: 0, text: text.slice(8) }
        yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
      },
    })
    const chatId = await newChat(one)
    await openInBoth(`/chats/${chatId}`)
    await messageField(two).fill('A draft of the second tab')
    await write(one, 'From the first')
    for (const tab of [one, two]) await tab.getByText('Answer 1').waitFor()
    expect(await messageField(two).inputValue()).to.equal('A draft of the second tab')
    await write(two, 'From the second')
    await messageField(one).fill('A draft of the first tab')
    gate.open()
    for (const tab of [one, two]) {
      await tab.getByText('Answer 2, to the end.').waitFor()
      await untilQuiet(tab)
      expect(await saidOn(tab)).to.deep.equal(['From the first', 'From the second'])
      expect(await answersOn(tab)).to.deep.equal(['Answer 1, to the end.', 'Answer 2, to the end.'])
    }
    expect(await messageField(one).inputValue()).to.equal('A draft of the first tab')
    const stored = await storedMessages(one, chatId)
    expect(stored.map(textOf)).to.have.members(['From the first', 'Answer 1, to the end.', 'From the second', 'Answer 2, to the end.'])
  })

  it('in one chat follow each other to a branch that one of them begins', async () => {
    let answer = 0
    setScript({
      answer: () => {
        answer += 1
        return says(`Branch answer ${answer}`)
      },
    })
    await openInBoth(`/chats/${await newChat(one)}`)
    await write(one, 'A question')
    for (const tab of [one, two]) await tab.getByText('Branch answer 1').waitFor()
    await untilQuiet(two)
    await two.getByRole('button', { name: 'Edit' }).click()
    await two.getByRole('textbox', { name: 'Edit' }).fill('A better question')
    await two.locator('.turn.you').getByRole('button', { name: 'Send' }).click()
    for (const tab of [one, two]) {
      await tab.getByText('Branch answer 2').waitFor()
      await untilQuiet(tab)
      expect(await saidOn(tab)).to.deep.equal(['A better question'])
      await tab.getByText('2 of 2').first().waitFor()
    }
    await one.getByRole('button', { name: 'Earlier branch' }).first().click()
    for (const tab of [one, two]) await tab.locator('.chat-said', { hasText: 'A question' }).waitFor()
    expect(await answersOn(two)).to.deep.equal(['Branch answer 1'])
  })

  it('that change one agent lose neither change, and the later one is shown what the earlier one saved', async () => {
    const { id } = await callAs(one, 'POST', '/api/agents', { name: 'Shared', instructions: 'Be brief.' })
    await openInBoth(`/agents/${id}`)
    await one.getByLabel('Description').fill('From the first tab.')
    await two.getByLabel('Instructions').fill('Be brief and kind.')
    await one.getByRole('button', { name: 'Save 1 change' }).click()
    await one.getByText('Saved as version 2.').first().waitFor()
    await two.getByRole('button', { name: 'Save 1 change' }).click()
    const dialog = two.getByRole('dialog', { name: 'The agent changed in the meantime' })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Continue with this' }).click()
    expect(await two.getByLabel('Description').inputValue()).to.equal('From the first tab.')
    expect(await two.getByLabel('Instructions').inputValue()).to.equal('Be brief and kind.')
    await two.getByRole('button', { name: 'Save 1 change' }).click()
    await two.getByText('Saved as version 3.').first().waitFor()
    const saved = await callAs(one, 'GET', `/api/agents/${id}`)
    expect(saved).to.include({ description: 'From the first tab.', instructions: 'Be brief and kind.' })
  })

  it('share the outbox: what a tab could not send before it was closed, the other one sends', async () => {
    const { context } = opened
    setScript({ answer: () => says('It came.') })
    const chatId = await newChat(two)
    const third = await context.newPage()
    for (const tab of [two, third]) {
      await tab.goto(`/chats/${chatId}`)
      await messageField(tab).waitFor()
    }
    await context.route('**/api/chats/*/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()))
    await write(third, 'From a tab that closes')
    for (const tab of [third, two]) await tab.locator('.turn.pending').waitFor()
    await third.close()
    await context.unroute('**/api/chats/*/messages')
    await two
      .getByText('It came.')
      .waitFor()
      .catch(async (cause: Error) => {
        const [waiting, stored] = [await two.evaluate('JSON.stringify(localStorage)'), await storedMessages(two, chatId)]
        throw new Error(`${cause.message}\nThe outbox: ${waiting}\nThe chat: ${JSON.stringify(stored.map(textOf))}`, { cause })
      })
    await untilQuiet(two)
    expect(await saidOn(two)).to.deep.equal(['From a tab that closes'])
  })
})
