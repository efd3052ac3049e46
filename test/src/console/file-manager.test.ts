import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the files of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('are uploaded, shown without acting in our origin, not overwritten, and deleted', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada })
    await open('/files')
    await page.getByText('No files here').waitFor()
    const picker = page.locator('input[type=file]')
    const markup = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>window.acted = true</script><b>bold</b>') }
    await picker.setInputFiles([markup, { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n') }])
    await page.getByRole('button', { name: 'notes.md', exact: true }).waitFor()
    expect(await inspect('files')).to.deep.equal([])
    await page.getByRole('button', { name: 'page.html', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'page.html' })
    await sheet.getByText('<script>window.acted = true</script>').waitFor()
    expect(await page.evaluate('window.acted')).to.equal(undefined)
    expect(await inspect('files-preview')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await picker.setInputFiles([markup])
    await page.getByText('A file of this name exists.').waitFor()
    await page.getByRole('button', { name: 'Dismiss page.html' }).click()
    await page.getByRole('button', { name: 'Delete page.html' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete page.html' }).click()
    await page.getByRole('button', { name: 'page.html', exact: true }).waitFor({ state: 'detached' })
    // The browser reports that the service refused to overwrite the file.
    expect(complaints).to.deep.equal([refusalReport(412, 'Precondition Failed')])
    await close()
  })
})
