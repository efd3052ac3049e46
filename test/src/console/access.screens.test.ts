import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the person’s own pages of the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  let opened: ConsolePage
  before(async () => {
    kernel = await createTestKernel()
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await kernel.stop()
  })

  /** The status with which a program is answered. */
  const ask = async (token: string): Promise<number> =>
    (await fetch(`${kernel.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

  it('make a token that works, and take access from it and from another device', async () => {
    const { page, open, inspect, complaints } = opened
    const answer = await fetch(`${kernel.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': firefox },
      body: JSON.stringify(ada),
    })
    const { access_token: device } = (await answer.json()) as { readonly access_token: string }
    await open('/access')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Write').uncheck()
    await dialog.getByLabel('Read').uncheck()
    await dialog.getByLabel('Name').fill('Backup script')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Choose at least one scope.').waitFor()
    expect(await inspect('token-new')).to.deep.equal([])
    await dialog.getByLabel('Read').check()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const secret = page.getByRole('dialog', { name: 'Token “Backup script”' })
    const token = await secret.locator('code').innerText()
    await secret.getByRole('button', { name: 'I have copied it' }).click()
    expect([await ask(token), await ask(device)]).to.deep.equal([200, 200])
    const end = page.getByRole('button', { name: 'Sign out Firefox, Linux' })
    await end.waitFor()
    expect(await inspect('access')).to.deep.equal([])
    await end.click()
    await end.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke Backup script' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke Backup script' }).click()
    await page.getByText('No tokens yet').waitFor()
    expect([await ask(token), await ask(device)]).to.deep.equal([401, 401])
    expect(complaints).to.deep.equal([])
  })

  it('change the address after the password, the password, and what this device shows from then on', async () => {
    const { page, open, inspect, complaints } = opened
    await open('/profile')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    expect(await inspect('profile')).to.deep.equal([])
    await page.getByRole('button', { name: 'Save profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.locator('.help.err').waitFor()
    expect(await inspect('profile-confirm')).to.deep.equal([])
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.getByText('Profile saved.').first().waitFor()
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('another long enough password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(ada.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').first().waitFor()
    await page.getByText('Dark', { exact: true }).click()
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await open('/profile')
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme].join()')).to.equal('de,dark')
    const profile = await page.evaluate("fetch('/api/auth/me').then((answer) => answer.json())")
    expect(profile).to.include({ name: 'Ada Lovelace', email: 'ada@example.org', timezone: 'Europe/Berlin', language: 'de' })
    // The browser reports the refused change and the wrong passwords.
    expect(complaints).to.deep.equal([
      refusalReport(403, 'Forbidden'),
      refusalReport(401, 'Unauthorized'),
      refusalReport(422, 'Unprocessable Entity'),
    ])
  })
})
