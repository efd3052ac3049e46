import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { callApi } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('time zone and language of a profile in the console', function () {
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

  it('are those in which times are shown, and that of a device on which none was chosen', async () => {
    const { page, complaints } = opened
    // The browser is in Berlin, where the first second of 1970 was in January; in Kiritimati it was in December.
    const chatId = await importChat(page, 2, () => 'Old words')
    const times = page.locator('.turn.you .note')
    await opened.open(`/chats/${chatId}`)
    await times.getByText('1 Jan 1970').waitFor()
    await callApi(opened, 'PATCH', '/api/auth/me', { timezone: 'Pacific/Kiritimati' })
    await opened.open(`/chats/${chatId}`)
    await times.getByText('31 Dec 1969').waitFor()
    await callApi(opened, 'PATCH', '/api/auth/me', { language: 'de-AT' })
    await opened.open('/profile')
    await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('are kept by the service when the language is chosen, which is then that of the device', async () => {
    const { page } = opened
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/auth/me'))
    await page.getByLabel('Sprache', { exact: true }).selectOption('en')
    await saved
    expect(await callApi(opened, 'GET', '/api/auth/me')).to.include({ language: 'en', timezone: 'Pacific/Kiritimati' })
    await callApi(opened, 'PATCH', '/api/auth/me', { language: 'de' })
    await opened.open('/profile')
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
  })
})
