import { open } from 'node:fs/promises'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('backups in the console', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  let opened: ConsolePage
  before(async () => {
    const settings = { 'feature-backup': { cron: '0 3 * * *', timezone: 'Europe/Vienna', keep: 5, keep_days: 30 } }
    kernel = await createTestKernel({ environment: { SERVICE_PLUGINS_SETTINGS: JSON.stringify(settings) } })
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
    opened.page.setDefaultTimeout(15_000)
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await kernel?.stop()
  })

  it('shows that there is none, makes one, verifies, downloads and deletes it', async () => {
    const { page, inspect } = opened
    await opened.open('/admin/backup')
    await page.getByText('No verified backup yet').waitFor()
    await page.getByText('0 3 * * * (Europe/Vienna)').waitFor()
    expect(await inspect('backup-none')).to.deep.equal([])

    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText(/^Backed up/).waitFor()
    const row = page.locator('.backup-row')
    await row.getByText('Verified', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This backup is complete and undamaged.').first().waitFor()
    expect(await inspect('backup')).to.deep.equal([])

    await row.getByRole('button', { name: 'Download' }).click()
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Confirm' }).click()])
    expect(download.suggestedFilename()).to.match(/^agent-service-.*\.tar$/)
    const handle = await open(await download.path(), 'r')
    const { buffer } = await handle.read(Buffer.alloc(11), 0, 11, 0)
    await handle.close()
    expect(buffer.toString()).to.equal('backup.json')

    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No backups yet').waitFor()
    expect(opened.complaints.filter((text) => text !== refusalReport(403, 'Forbidden'))).to.deep.equal([])
  })

  it('speaks German', async () => {
    const { page, inspect } = opened
    await opened.open('/profile')
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await opened.open('/admin/backup')
    await page.getByRole('button', { name: 'Jetzt sichern' }).waitFor()
    expect(await inspect('backup-german')).to.deep.equal([])
  })
})
