import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { callApi, openChat } from './chat-support.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const bob = { username: 'bob', password: 'a long enough password' }

describe('switches of what the service does not have, in the console', function () {
  this.timeout(60_000)
  after(closeBrowser)

  const agentPage = async (opened: Awaited<ReturnType<typeof openPage>>): Promise<void> => {
    const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
    await opened.open(`/agents/${items[0]?.id}`)
    await opened.page.getByRole('checkbox', { name: 'Titles' }).waitFor()
  }

  for (const [what, disabled] of [
    ['the back end of the memory', ['memory-basic', 'feature-sandbox']],
    ['the memory', ['memory-basic', 'feature-memory', 'feature-sandbox']],
  ] as const)
    it(`are not shown without ${what}, and administrators learn what lacks`, async () => {
      const kernel = await createTestKernel({ environment: { SERVICE_PLUGINS_DISABLED: JSON.stringify(disabled) } })
      try {
        const admin = await openPage(kernel, { credentials: ada })
        const { page, complaints } = admin
        await agentPage(admin)
        await page.getByText('no plugin that keeps memories runs').waitFor()
        expect(await page.getByRole('checkbox', { name: 'Remember between chats' }).count()).to.equal(0)
        expect(await page.getByRole('checkbox', { name: 'Network in the sandbox' }).count()).to.equal(0)
        expect(await admin.inspect('agent-without-memory')).to.deep.equal([])
        await openChat(admin, {}, 'A chat')
        await page.getByRole('button', { name: 'Actions of this chat' }).first().click()
        await page.getByRole('menuitem', { name: 'Rename' }).first().waitFor()
        expect(await page.getByRole('menuitem', { name: /remember/i }).count()).to.equal(0)
        expect(complaints.filter((text) => !text.startsWith('error: Failed to load resource'))).to.deep.equal([])
        await admin.close()
        const other = await openPage(kernel, { credentials: bob })
        await agentPage(other)
        await other.page.getByRole('checkbox', { name: 'Remember between chats' }).waitFor({ state: 'detached' })
        expect(await other.page.getByText('no plugin that keeps memories runs').count()).to.equal(0)
        await other.close()
      } finally {
        await kernel.stop()
      }
    })

  it('are shown with them', async () => {
    const kernel = await createTestKernel({})
    try {
      const opened = await openPage(kernel, { credentials: ada })
      await agentPage(opened)
      await opened.page.getByRole('checkbox', { name: 'Remember between chats' }).waitFor()
      await opened.page.getByRole('checkbox', { name: 'Network in the sandbox' }).waitFor()
      await opened.close()
    } finally {
      await kernel.stop()
    }
  })
})
