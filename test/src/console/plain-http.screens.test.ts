import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, onePixel, openChat, uploaded } from './chat-support.js'
import { type ConsolePage, closeBrowser, networkHost, openPage } from './open-page.js'
import { startPlainProxy } from './support/plain-proxy.js'

const ada = { username: 'ada', password: 'a long enough password' }
const note = 'This address is not encrypted'

describe('the console over plain http in the local network', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let proxy: Awaited<ReturnType<typeof startPlainProxy>>
  let opened: ConsolePage
  before(async () => {
    setScript({ answer: () => says('Here it is:\n\n```sh\nls -la\n```\n\nThat is all.') })
    agents = await startAgentsKernel()
    proxy = await startPlainProxy(agents.kernel.url)
    await (await openPage(agents.kernel, { credentials: ada })).close()
    opened = await openPage({ url: `http://${networkHost}:${proxy.port}` })
  })
  after(async () => {
    await closeBrowser()
    await proxy.stop()
    await agents.close()
  })

  const signIn = async ({ page }: ConsolePage): Promise<void> => {
    await page.getByLabel('Name or e-mail').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
  }

  it('says before the password is sent that nothing is encrypted, and afterwards that the password was right', async () => {
    const direct = await openPage({ url: `http://${networkHost}:${new URL(agents.kernel.url).port}` })
    const { page, open, inspect } = direct
    await open('/')
    expect(await page.evaluate('isSecureContext')).to.equal(false)
    await page.getByText(note).waitFor()
    expect(await inspect('sign-in-unencrypted')).to.deep.equal([])
    await signIn(direct)
    await page.getByText('The service accepted this, but the browser did not keep the session.', { exact: false }).waitFor()
    expect(await page.getByText(note).count()).to.equal(1)
    await direct.close()
  })

  it('says nothing of the kind on the machine itself', async () => {
    const here = await openPage(agents.kernel)
    await here.open('/')
    await here.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await here.page.getByText(note).count()).to.equal(0)
    await here.close()
  })

  it('sends messages and files, copies, and makes what needs a key of its own', async () => {
    const { page, open, complaints } = opened
    await open('/')
    await signIn(opened)
    await page.locator('nav.side').waitFor({ state: 'attached' })
    await openChat(opened)
    await page.locator('.composer input[type=file]').setInputFiles([{ name: 'plan.png', mimeType: 'image/png', buffer: onePixel }])
    await uploaded(page, 1)
    await ask(opened, 'Show me the files')
    await page.getByText('That is all.').waitFor()
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).press('Control+v')
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).to.equal('ls -la\n')
    await open('/agents')
    await page.getByRole('button', { name: 'New agent' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').first().fill('Gardener')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Gardener' }).waitFor()
    expect(complaints.filter((text) => !text.includes('Cross-Origin-Opener-Policy'))).to.deep.equal([])
  })

  it('shares one event stream between tabs, and another tab takes over when the first is closed', async () => {
    const { page, context, open } = opened
    const streams: string[] = []
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams.push(request.url())
    })
    const first = page.waitForRequest((request) => request.url().endsWith('/api/events'))
    await open('/')
    await first
    const second = await context.newPage()
    await second.goto('/')
    await second.locator('nav.side').waitFor({ state: 'attached' })
    await callApi(opened, 'POST', '/api/chats', { title: 'Seen in both tabs' })
    await second.getByText('Seen in both tabs').first().waitFor()
    expect(streams.length, 'connections of both tabs').to.equal(1)
    const successor = context.waitForEvent('request', (request) => request.url().endsWith('/api/events'))
    await page.close()
    await successor
    await callApi({ page: second }, 'POST', '/api/chats', { title: 'Seen in the tab that stayed' })
    await second.getByText('Seen in the tab that stayed').first().waitFor()
  })
})
