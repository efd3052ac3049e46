import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { callApi, openChat } from './chat-support.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('switches of what the service does not have, in the console', function () {
  this.timeout(60_000)
  after(closeBrowser)

  it('are not shown, and administrators learn what lacks', async () => {
    const disabled = ['memory-basic', 'feature-sandbox']
    const kernel = await createTestKernel({ environment: { SERVICE_PLUGINS_DISABLED: JSON.stringify(disabled) } })
    try {
      const opened = await openPage(kernel, { credentials: ada, at: 'none' })
      const { page, open, inspect, complaints } = opened
      await open('/agents')
      const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
      await open(`/agents/${items[0]?.id}`)
      await page.getByRole('checkbox', { name: 'Titles' }).waitFor()
      await page.getByText('no plugin that keeps memories runs').waitFor()
      expect(await page.getByRole('checkbox', { name: 'Remember between chats' }).count()).to.equal(0)
      expect(await page.getByRole('checkbox', { name: 'Network in the sandbox' }).count()).to.equal(0)
      expect(await inspect('agent-without-memory')).to.deep.equal([])
      await openChat(opened, {}, 'A chat')
      await page.getByRole('button', { name: 'Actions of this chat' }).first().click()
      await page.getByRole('menuitem', { name: 'Rename' }).first().waitFor()
      expect(await page.getByRole('menuitem', { name: /remember/i }).count()).to.equal(0)
      expect(complaints.filter((text) => !text.startsWith('error: Failed to load resource'))).to.deep.equal([])
    } finally {
      await kernel.stop()
    }
  })
})
