import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'

describe('the plugins in the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('are listed with their states, and one is disabled and enabled again', async () => {
    const credentials = { username: 'ada', password: 'a long enough password' }
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials })
    await open('/admin/plugins')
    const row = page.locator('.plugins-row', { hasText: 'tool-files' })
    await row.getByText('Running', { exact: true }).waitFor()
    expect(await inspect('plugins')).to.deep.equal([])
    await row.getByRole('switch').click()
    await row.getByText('Disabled', { exact: true }).waitFor()
    await row.getByRole('switch').click()
    await row.getByText('Running', { exact: true }).waitFor()
    expect(complaints).to.deep.equal([])
    await close()
  })
})
