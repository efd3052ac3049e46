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
    opened = await openPage(kernel, { credentials: ada, at: 'none', locale: 'de-DE' })
    opened.page.setDefaultTimeout(15_000)
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await kernel?.stop()
  })

  it('are made from nothing and downloaded by who confirms who they are, in German', async () => {
    const { page, inspect } = opened
    await opened.open('/admin/backup')
    await page.getByText('Noch keine geprüfte Sicherung').waitFor()
    await page.getByText('0 3 * * * (Europe/Vienna)').waitFor()
    expect(await inspect('backup-none')).to.deep.equal([])

    await page.getByRole('button', { name: 'Jetzt sichern' }).click()
    await page.getByText(/^Gesichert/).waitFor()
    const row = page.locator('.backup-row')
    await row.getByText('Geprüft', { exact: true }).waitFor()
    expect(await inspect('backup')).to.deep.equal([])

    await row.getByRole('button', { name: 'Herunterladen' }).click()
    await page.getByLabel('Passwort', { exact: true }).fill(ada.password)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Bestätigen' }).click()])
    expect(download.suggestedFilename()).to.match(/^agent-service-.*\.tar$/)
    const handle = await open(await download.path(), 'r')
    const { buffer } = await handle.read(Buffer.alloc(11), 0, 11, 0)
    await handle.close()
    expect(buffer.toString()).to.equal('backup.json')
    expect(opened.complaints.filter((text) => text !== refusalReport(403, 'Forbidden'))).to.deep.equal([])
  })
})
