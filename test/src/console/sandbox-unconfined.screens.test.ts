import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'
import { newChat } from './support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Without a driver nothing confines, on any machine. */
const withoutDriver = { SERVICE_PLUGINS_DISABLED: JSON.stringify(['sandbox-linux', 'sandbox-macos']) }

describe('the console where nothing confines', function () {
  this.timeout(60_000)
  after(() => closeBrowser())

  const inspectMachine = async (environment: Readonly<Record<string, string>>, banner: string, name: string): Promise<void> => {
    const kernel = await createTestKernel({ environment })
    try {
      const opened = await openPage(kernel, { credentials: ada, at: 'none' })
      await opened.open('/sandbox/machine')
      await opened.page.locator('.sandbox-banner', { hasText: banner }).waitFor()
      await opened.page.getByText('The code of agents is not confined').waitFor()
      expect(await opened.page.locator('.sandbox-fence', { hasText: 'Files' }).getByText('Closed', { exact: true }).count()).to.equal(0)
      expect(await opened.inspect(name)).to.deep.equal([])
      await opened.open('/sandbox')
      await opened.page.locator('.sandbox-banner', { hasText: banner }).waitFor()
      expect(opened.complaints).to.deep.equal([])
      await opened.close()
    } finally {
      await kernel.stop()
    }
  }

  it('says that agents run no programs, and why, where there is no driver', () =>
    inspectMachine(withoutDriver, 'Nothing confines programs on this machine', 'sandbox-no-driver'))

  it('says in the chat of an agent that runs code, and only there, that nothing confines it', async () => {
    const kernel = await createTestKernel({ environment: { SERVICE_SANDBOX_DISABLED: 'true' } })
    try {
      const { page, open, inspect, complaints } = await openPage(kernel, { credentials: ada })
      const note = page.getByText('The sandbox is switched off: code of this agent')
      await open(`/chats/${await newChat(page, { tools: ['shell'] })}`)
      await note.waitFor()
      expect(await inspect('chat-unconfined')).to.deep.equal([])
      const known = page.waitForResponse((response) => response.url().includes('/api/tools?'))
      await open(`/chats/${await newChat(page, { tools: [] })}`)
      await (await known).finished()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      expect(await note.count()).to.equal(0)
      expect(complaints).to.deep.equal([])
    } finally {
      await kernel.stop()
    }
  })

  it('warns on every page of the sandbox where it is switched off', () =>
    inspectMachine({ SERVICE_SANDBOX_DISABLED: 'true' }, 'The sandbox is switched off (sandbox.disabled)', 'sandbox-disabled'))
})
