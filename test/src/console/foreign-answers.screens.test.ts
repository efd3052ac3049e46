import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type PathProxy, startPathProxy } from '../support/path-proxy.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { startPortal } from './support/portal.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the console while something else answers in place of the service', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let proxy: PathProxy
  let portal: Awaited<ReturnType<typeof startPortal>>
  let opened: ConsolePage
  const answers = (url: string): void => proxy.serve('/api', { url, removesPath: false })
  before(async () => {
    setScript({ answer: () => says('Yes.') })
    agents = await startAgentsKernel()
    proxy = await startPathProxy()
    answers(agents.kernel.url)
    proxy.serve('', { url: agents.kernel.url, removesPath: true })
    await (await openPage(agents.kernel, { credentials: ada, at: 'none' })).close()
    opened = await openPage({ url: proxy.origin }, { credentials: ada })
  })
  after(async () => {
    await closeBrowser()
    await proxy.close()
    await agents.close()
  })

  afterEach(() => portal.stop())

  for (const [status, name] of [
    [200, 'a page'],
    [401, 'a refusal of its own'],
  ] as const)
    it(`says so of ${name}, takes it for no success, and sends what was written when the service is back`, async () => {
      const { page, context, complaints } = opened
      portal = await startPortal(status)
      await openChat(opened)
      await ask(opened, 'First')
      await page.getByText('Yes.').waitFor()
      answers(portal.url)
      // The stream that is open ends as it does with the network.
      await context.setOffline(true)
      await context.setOffline(false)
      await page.getByText('Reconnecting', { exact: false }).first().waitFor()
      await ask(opened, 'Second')
      await page.locator('.turn.pending').waitFor()
      await page.locator('nav.side').getByRole('link', { name: 'Files', exact: true }).click()
      await page.locator('main').getByText('Something else answered in place of the service', { exact: false }).first().waitFor()
      const choose = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload' }).click()
      await (await choose).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') })
      await page
        .getByText('note.txt')
        .locator('..')
        .getByText('Something else answered in place of the service', { exact: false })
        .waitFor()
      answers(agents.kernel.url)
      await page.goBack()
      await page.locator('.turn.agent').nth(1).getByText('Yes.').waitFor()
      expect(await page.locator('.turn.you .chat-said').allInnerTexts()).to.deep.equal(['First', 'Second'])
      expect(await page.getByRole('dialog').count()).to.equal(0)
      expect(complaints.filter((text) => text.startsWith('uncaught'))).to.deep.equal([])
    })
})
