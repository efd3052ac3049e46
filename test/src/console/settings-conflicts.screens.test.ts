import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'
import { ada, lineOf, type SettingsKernel, saveElsewhere, startSettingsKernel, unexpected } from './support/settings-kernel.js'

describe('the settings editor, when something comes in between', function () {
  this.timeout(90_000)
  let settings: SettingsKernel
  before(async () => {
    settings = await startSettingsKernel()
  })
  after(async () => {
    await closeBrowser()
    await settings.stop()
  })

  it('loses nothing over a reload, a lost connection, a password and the save of another, and never keeps a secret', async () => {
    const { page, context, open, inspect, complaints, close } = await openPage(settings.kernel, { credentials: ada, at: 'none' })
    const go = (section: string): Promise<void> =>
      page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click()
    await open('/admin/settings?section=models')
    const fallbacks = lineOf(page, 'models.primary.fallbacks')
    await fallbacks.getByRole('button', { name: 'Add an entry' }).click()
    const entry = fallbacks.getByRole('group', { name: 'Entry 1' })
    await entry.getByLabel('Provider').fill('work')
    await entry.getByLabel('Model', { exact: true }).fill('small')
    await entry.getByLabel('Add a field').selectOption('temperature')
    await entry.getByLabel('Temperature').fill('warm')
    await fallbacks.locator('.help.err').first().waitFor()
    expect(await inspect('settings-items')).to.deep.equal([])
    await entry.getByLabel('Temperature').fill('0.5')
    await fallbacks.locator('.help.err').first().waitFor({ state: 'detached' })
    await go('Providers')
    await lineOf(page, 'providers.work.api_key').locator('input').fill('canary-that-was-typed')
    await page.reload()
    await page.getByText('1 change from before is back.').waitFor()
    await page.getByText('Enter these again: providers.work.api_key').waitFor()
    expect(await lineOf(page, 'providers.work.api_key').locator('input').inputValue()).to.equal('')
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])'))
      .to.contain('small')
      .and.not.contain('canary')
    expect(await inspect('settings-restored')).to.deep.equal([])

    await go('Server')
    await lineOf(page, 'server.timezone').locator('input').fill('Europe/Rome')
    await page.getByRole('button', { name: 'Review 2 changes' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    await page.locator('dialog .btn.main:enabled').waitFor()
    await context.setOffline(true)
    await review.getByRole('button', { name: 'Save 2 changes' }).click()
    await review.getByText('The service does not answer.').waitFor()
    expect(await inspect('settings-offline')).to.deep.equal([])
    await context.setOffline(false)
    await review.getByRole('button', { name: 'Save 2 changes' }).click()
    const confirm = page.getByRole('dialog', { name: 'Is it you?' })
    await confirm.getByLabel('Password', { exact: true }).fill(ada.password)
    expect(await inspect('settings-confirm')).to.deep.equal([])
    expect(await saveElsewhere(page, { 'server.timezone': 'Europe/Paris' })).to.equal(200)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    const stale = page.getByRole('dialog', { name: 'Someone saved the settings while you edited' })
    await stale.getByText('- Europe/Paris').waitFor()
    expect(await inspect('settings-stale')).to.deep.equal([])
    await stale.getByText('Mine', { exact: true }).click()
    // The session stays confirmed: no password again.
    await stale.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.locator('.toast').getByText('Saved.').waitFor()
    expect(await settings.read())
      .to.contain('timezone: Europe/Rome')
      .and.match(/fallbacks:\s+- provider: work\s+model: small\s+temperature: 0\.5\n/)
    // The browser itself reports what was refused.
    expect(unexpected(complaints, /40[03]|412|ERR_INTERNET_DISCONNECTED/)).to.deep.equal([])
    await close()
  })
})
