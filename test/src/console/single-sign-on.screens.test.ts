import { expect } from 'chai'
import { type SignOnService, startSignOnService } from '../sso/support/sign-on.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { closeBrowser, openPage } from './open-page.js'

describe('single sign-on to the console', function () {
  this.timeout(60_000)
  let service: SignOnService
  before(async () => {
    service = await startSignOnService({ SERVICE_SSO_DISABLE_LOCAL_AUTH: 'true', SERVICE_MEMORY_BACKEND: 'basic' })
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
    service.peer.people.set('ada', { email: 'ada@example.org', email_verified: true, preferred_username: 'ada' })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
  })

  it('makes the first account with the code, where passwords are switched off', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service)
    await open('/')
    expect(await page.getByLabel('Password', { exact: true }).count()).to.equal(0)
    await page.getByLabel('Set-up code').fill(setUpCodeOf(service.kernel))
    expect(await inspect('first-account-sso')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await page.locator('input[name="subject"]').fill('ada')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
    await close()
  })

  it('is the only way in afterwards, and leads to what was asked for', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service)
    await open('/components')
    await page.goto('/somewhere?a=1')
    await page.getByText('Passwords are switched off.').waitFor()
    expect(await inspect('sign-in-sso')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await page.locator('input[name="subject"]').fill('ada')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('button', { name: 'ada' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).to.equal('/somewhere?a=1')
    await close()
  })

  it('renews a session that ended, in another tab, and what was typed stays', async () => {
    const { page, context, open, close } = await openPage(service)
    await open('/components')
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await page.locator('input[name="subject"]').fill('ada')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What should get done?' }).waitFor()
    await page.getByLabel('What should get done?').fill('half a sentence')
    await page.evaluate("fetch('/api/auth/logout', { method: 'POST' }).then((answer) => answer.status)")
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    const other = context.waitForEvent('page')
    await dialog.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await (await other).getByRole('heading', { name: 'What should get done?' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('What should get done?').inputValue()).to.equal('half a sentence')
    await close()
  })
})
