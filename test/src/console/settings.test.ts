import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Saves a change as another administrator would. */
const changeElsewhere = `(async () => {
  const { revision } = await (await fetch('/api/admin/config')).json()
  const answer = await fetch('/api/admin/config', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'if-match': '"' + revision + '"' },
    body: JSON.stringify({ set: { 'server.timezone': 'Europe/Oslo' } }),
  })
  return answer.status
})()`

const savedServer = "fetch('/api/admin/config').then((answer) => answer.json()).then(({ saved }) => saved.server)"

describe('the settings editor of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_LOG_LEVEL: 'error' } })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('shows what the environment locks, and merges a change with one that was saved elsewhere meanwhile', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada })
    await open('/admin/settings')
    const locked = page.locator('[data-path="server.log_level"]')
    await locked.getByText('SERVICE_SERVER_LOG_LEVEL').waitFor()
    expect(await locked.locator('input').getAttribute('readonly')).to.not.equal(null)
    await page.locator('[data-path="server.base_url"] input').fill('https://agents.example.org')
    expect(await inspect('settings')).to.deep.equal([])
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    await page.getByText('+ https://agents.example.org').waitFor()
    expect(await page.evaluate(changeElsewhere)).to.equal(200)
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('The file changed since you opened it.').waitFor()
    expect(await inspect('settings-stale')).to.deep.equal([])
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.locator('.toast').getByText('Saved for the next start').waitFor()
    await page.getByText('Restart to apply the saved changes.').waitFor()
    expect(await page.evaluate(savedServer)).to.include({ base_url: 'https://agents.example.org', timezone: 'Europe/Oslo' })
    // The browser itself reports the refused save.
    expect(complaints).to.deep.equal([refusalReport(412, 'Precondition Failed')])
    await close()
  })
})
