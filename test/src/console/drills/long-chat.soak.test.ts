import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { says, setScript } from '../../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { importChat, untilQuiet, write } from '../support/chat-page.js'

const count = 2_000
const nodes = "document.querySelectorAll('*').length"

describe('a chat of 2,000 messages', function () {
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

  it('opens with about as many nodes as one of 50, and forgets what was scrolled past when one is back at its end', async () => {
    const { page, open, complaints } = opened
    const textAt = (index: number): string => `Message number ${index} of many`
    await open(`/chats/${await importChat(page, 50, textAt)}`)
    await page.getByText(textAt(49)).waitFor()
    const inShort = Number(await page.evaluate(nodes))
    await open(`/chats/${await importChat(page, count, textAt)}`)
    await page.getByText(textAt(count - 1)).waitFor()
    const inLong = Number(await page.evaluate(nodes))
    expect(inLong).to.be.below(inShort * 1.2)

    await page.locator('.chat-scroll').hover()
    for (const oldest of [1_900, 1_850, 1_800, 1_750]) {
      await page.evaluate("document.querySelector('.chat-scroll').scrollTop = -1e6")
      await page.getByText(textAt(oldest)).waitFor({ state: 'attached' })
    }
    expect(await page.locator('.turn').count()).to.be.above(200)
    await page.evaluate("document.querySelector('.chat-scroll').scrollTop = 0")
    await page.getByText(textAt(1_750)).waitFor({ state: 'detached' })
    await page.getByText(textAt(count - 1)).waitFor()
    expect(await page.locator('.turn').count()).to.be.at.most(100)
    expect(Number(await page.evaluate(nodes))).to.be.below(inShort * 3)

    await page.evaluate("document.querySelector('.chat-scroll').scrollTop = -1e6")
    await page.getByText(textAt(1_850)).waitFor({ state: 'attached' })
    await page.evaluate("document.querySelector('.chat-scroll').scrollTop = 0")
    setScript({ answer: () => says('Still here.') })
    await write(page, 'Are you there?')
    await page.getByText('Still here.').waitFor()
    await untilQuiet(page)
    expect(complaints).to.deep.equal([])
  })
})
