import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, looks, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

const rich = [
  'Text with `code` and a [link](https://example.org/).',
  '```ts\nconst one: number = 1\n```',
  '| One | Two |\n| --- | --: |\n| a | 1 |',
  'With $x^2$ and\n\n$$\n\\frac{1}{2}\n$$',
  '```mermaid\nflowchart TD\n  A --> B\n```',
].join('\n\n')

describe('ways through the console', function () {
  this.timeout(180_000)
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

  for (const look of [looks[0], looks[3]])
    it(`lead from the sign-in page to a sent message with at most five Tabs: ${look.size}`, async () => {
      setScript({ answer: () => says('Heard.') })
      const { page, open, inspect, complaints, close } = await openPage(agents.kernel, { look })
      await open('/')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await inspect(`way-sign-in-${look.size}`)).to.deep.equal([])
      let tabs = await tabsTo(page, page.getByLabel('Name or e-mail'))
      await page.keyboard.type(ada.username)
      tabs += await tabsTo(page, page.getByLabel('Password', { exact: true }))
      await page.keyboard.type(ada.password)
      await page.keyboard.press('Enter')
      const field = page.getByRole('textbox', { name: 'What should get done?' })
      await field.waitFor()
      expect(await inspect(`way-home-${look.size}`)).to.deep.equal([])
      tabs += await tabsTo(page, field)
      await page.keyboard.type('By keyboard')
      await page.keyboard.press('Enter')
      await page.getByText('Heard.').waitFor()
      expect(tabs).to.be.at.most(5)
      expect(complaints).to.deep.equal([])
      await close()
    })

  it('show an empty chat, and one with everything in it', async () => {
    const { page, inspect, complaints } = opened
    let asked = ''
    setScript({
      async *answer(request) {
        const done = resultsIn(request).length
        if (asked === 'fail')
          throw providerError.create({
            ...{ failure: 'quota_exceeded', retryable: false, connection: request.connection.handle, model: request.model },
            reason: 'The credit of this key is used up.',
          })
        if (asked === 'approve') yield* callsWith({ name: 'tool__write', arguments: { folder: 'garden' } })
        else if (done === 0) yield* callsWith({ name: 'write_file', arguments: { path: 'report.md', content: '# Report' } })
        else yield* says(rich)
      },
    })
    await openChat(opened, { tools: ['write_file', 'tool__write'], approval: { write_file: 'never', '*': 'always' } })
    expect(await inspect('way-empty-chat')).to.deep.equal([])
    await ask(opened, 'Everything')
    await page.locator('.diagram-picture img').waitFor()
    await page.getByRole('region', { name: 'Files that were made' }).waitFor()
    asked = 'fail'
    await ask(opened, 'Fail')
    await page.locator('.chat-failed').waitFor()
    asked = 'approve'
    await ask(opened, 'Ask me')
    await page.locator('.ask').waitFor()
    expect(await inspect('way-everything')).to.deep.equal([])
    await page.locator('.turn').first().scrollIntoViewIfNeeded()
    expect(await inspect('way-everything-top')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})

/** Goes on with Tab until the control has the focus; says how often that took. */
async function tabsTo(page: Page, control: Locator): Promise<number> {
  for (let count = 0; count <= 20; count += 1) {
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return count
    await page.keyboard.press('Tab')
  }
  throw new Error('The control does not have the focus after 20 Tabs.')
}
