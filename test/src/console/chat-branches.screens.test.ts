import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

describe('branches and long chats of the console', function () {
  this.timeout(120_000)
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

  it('answers again and edits in branches, between which one switches', async () => {
    const { page, inspect, complaints } = opened
    let answers = 0
    setScript({
      answer: () => {
        answers += 1
        return says(`Answer number ${answers}`)
      },
    })
    await openChat(opened)
    await ask(opened, 'Once')
    await page.getByText('Answer number 1').waitFor()
    await page.locator('.turn.agent').hover()
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('Answer number 2').waitFor()
    await page.getByText('2 of 2').waitFor()
    expect(await inspect('chat-branches')).to.deep.equal([])
    await page.getByRole('button', { name: 'Earlier branch' }).click()
    await page.getByText('Answer number 1').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit' }).fill('Twice')
    await page.locator('.turn.you').getByRole('button', { name: 'Send' }).click()
    await page.getByText('Answer number 3').waitFor()
    expect(await page.locator('.turn.you').count()).to.equal(1)
    expect(complaints).to.deep.equal([])
  })

  it('opens a chat of 2,000 messages with the newest page, and reads older ones when one scrolls up', async () => {
    const { page, complaints } = opened
    const empty = await openChat(opened)
    const id = await page.evaluate(async (chatId) => {
      const document = (await (await fetch(`/api/chats/${chatId}/export`)).json()) as Record<string, unknown>
      const messages = Array.from({ length: 2_000 }, (_, index) => ({
        ...{
          branch: 1,
          sequence: index,
          run: Math.floor(index / 2) + 1,
          status: 'complete',
          created_at: new Date(index * 1_000).toISOString(),
        },
        ...(index % 2 === 0 ? { role: 'user' } : { role: 'assistant', model: 'primary' }),
        content: [{ type: 'text', text: `Message number ${index}` }],
      }))
      const answer = await fetch('/api/chats/import', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...document, messages }),
      })
      const body = (await answer.json()) as { readonly id?: string; readonly chat?: { readonly id: string } }
      return body.id ?? body.chat?.id ?? JSON.stringify(body)
    }, empty)
    await page.goto(`/chats/${id}`)
    await page.getByText('Message number 1999').waitFor()
    expect(await page.locator('.turn').count()).to.be.at.most(100)
    const toTop = () => page.evaluate("document.querySelector('.chat-scroll').scrollTop = -1e6")
    for (const number of [1949, 1850, 1750, 1650]) {
      await toTop()
      await page.getByText(`Message number ${number}`, { exact: true }).waitFor({ state: 'attached' })
    }
    expect(await page.locator('.turn').count()).to.be.below(800)
    // One order for a page, not one for each of its messages.
    await page.evaluate(`(() => {
      const { sort } = Array.prototype
      window.sorts = 0
      Array.prototype.sort = function (...given) {
        if (this.length > 300) window.sorts += 1
        return sort.apply(this, given)
      }
    })()`)
    for (const number of [1549, 1449, 1349, 1249, 1149, 1049, 949]) {
      await toTop()
      await page.getByText(`Message number ${number}`, { exact: true }).waitFor({ state: 'attached' })
    }
    expect(await page.evaluate('window.sorts')).to.be.below(40)
    // However far one scrolls, the page holds the turns around the view; heights stand for the others.
    await page.locator('.turn[data-messages]:not(:has(*))').nth(300).waitFor({ state: 'attached' })
    expect(await page.getByText('Message number 1999', { exact: true }).count()).to.equal(0)
    const far = page.locator('.turn[data-messages]:not(:has(*))').nth(100)
    const again = page.locator(`[data-messages="${await far.getAttribute('data-messages')}"]`)
    await far.scrollIntoViewIfNeeded()
    await again.getByText('Message number').waitFor()
    await page.getByRole('button', { name: 'Jump to the newest' }).click()
    await page.getByText('Message number 1999', { exact: true }).waitFor()
    // A message that an address names is reached in large steps.
    const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(
      opened,
      'GET',
      `/api/chats/${id}/messages?limit=1&before=5`,
    )
    const messageId = items[0]?.id
    let read = 0
    page.on('request', (request) => {
      if (request.url().includes('/messages?')) read += 1
    })
    await page.goto(`/chats/${id}?message=${messageId}&at=4`)
    await page.locator('.turn.found').getByText('Message number 4', { exact: true }).waitFor()
    expect(read).to.be.at.most(12)
    expect(complaints).to.deep.equal([])
  })
})
