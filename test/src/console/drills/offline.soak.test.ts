import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { createGate } from '../../agents/support/client-view.js'
import { says, setScript } from '../../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { answersOn, messageField, newChat, saidOn, storedMessages, textOf, untilQuiet, write } from '../support/chat-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

describe('a chat of the console without a network', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  it('keeps what is written in the outbox, also over a reload, and sends it once and in order when the network is back', async () => {
    const { page, context, open } = opened
    const chatId = await newChat(page)
    await open(`/chats/${chatId}`)
    await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
    await open(`/chats/${chatId}`)
    setScript({ answer: ({ messages }) => says(JSON.stringify(messages).includes('Two') ? 'Heard both.' : 'Heard one.') })
    await context.setOffline(true)
    await write(page, 'One')
    await write(page, 'Two')
    await page.locator('.turn.pending').nth(1).waitFor()
    await messageField(page).fill('Not sent yet')
    await page.reload()
    await page.getByText('The service does not answer.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.turn.agent').last().getByText('Heard both.').waitFor()
    await untilQuiet(page)
    expect(await saidOn(page)).to.deep.equal(['One', 'Two'])
    // The second message has a run of its own, or goes to that of the first: before or after its model call.
    expect((await answersOn(page)).join(' ')).to.be.oneOf(['Heard one. Heard both.', 'Heard both.'])
    expect(await messageField(page).inputValue()).to.equal('Not sent yet')
    const stored = await storedMessages(page, chatId)
    expect(stored.filter(({ role }) => role === 'user').map(textOf)).to.deep.equal(['One', 'Two'])
  })

  it('shows an answer that was written meanwhile whole and once', async () => {
    const { page, context, open } = opened
    await open(`/chats/${await newChat(page)}`)
    const gate = createGate()
    const ended = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Before, ' }
        await gate.opened
        for (const text of ['in ', 'between, ', 'after.']) yield { type: 'text.delta', part: 0, text }
        ended.open()
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Before, in between, after.' }], stop_reason: 'stop', usage }
      },
    })
    await write(page, 'Go on without me')
    await page.getByText('Before,').waitFor()
    await context.setOffline(true)
    await page.locator('.banner').waitFor()
    gate.open()
    await ended.opened
    await write(page, 'And this later')
    await page.locator('.turn.pending').waitFor()
    await context.setOffline(false)
    await page.locator('.banner').waitFor({ state: 'detached' })
    await page.locator('.turn.agent').nth(1).waitFor()
    await untilQuiet(page)
    expect(await saidOn(page)).to.deep.equal(['Go on without me', 'And this later'])
    expect(await answersOn(page)).to.deep.equal(['Before, in between, after.', 'Before, in between, after.'])
  })

  it('is sent again, not given up, while an attempt that a killed service had begun is in progress', async () => {
    const { page, context, open } = opened
    await open(`/chats/${await newChat(page)}`)
    setScript({ answer: () => says('Now I have it.') })
    let attempts = 0
    await context.route('**/api/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      attempts += 1
      if (attempts > 1) return route.continue()
      const body = { type: 'about:blank', title: 'In progress', status: 409, code: 'idempotency_in_progress', detail: 'In progress.' }
      await route.fulfill({
        status: 409,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
        body: JSON.stringify(body),
      })
    })
    await write(page, 'Begun before')
    await page.getByText('Now I have it.').waitFor()
    await untilQuiet(page)
    expect([attempts, await saidOn(page)]).to.deep.equal([2, ['Begun before']])
    await context.unroute('**/api/chats/*/messages')
  })
})
