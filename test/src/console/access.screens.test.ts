import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the person’s own pages of the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('make a token that is shown once and works, and revoke it', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/access')
    await page.getByText('No tokens yet').waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Write').uncheck()
    await dialog.getByLabel('Read').uncheck()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Choose at least one scope.').waitFor()
    await dialog.getByLabel('Read').check()
    await dialog.getByLabel('Name').fill('Backup script')
    expect(await inspect('token-new')).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const secret = page.getByRole('dialog', { name: 'Token “Backup script”' })
    const token = await secret.locator('code').innerText()
    const ask = async (): Promise<number> =>
      (await fetch(`${kernel.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await ask()).to.equal(200)
    await secret.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.content()).to.not.include(token)
    await open('/access')
    await page.getByText('last used').first().waitFor()
    expect(await inspect('access')).to.deep.equal([])
    await page.getByRole('button', { name: 'Revoke Backup script' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke Backup script' }).click()
    await page.getByText('No tokens yet').waitFor()
    expect(await ask()).to.equal(401)
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('sign out another device', async () => {
    const own = await createTestKernel()
    const { page, open, inspect, close } = await openPage(own, { credentials: ada })
    const answer = await fetch(`${own.url}/api/auth/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify(ada),
    })
    const { access_token } = (await answer.json()) as { readonly access_token: string }
    const ask = async (): Promise<number> =>
      (await fetch(`${own.url}/api/chats`, { headers: { authorization: `Bearer ${access_token}` } })).status
    expect(await ask()).to.equal(200)
    await open('/access')
    const end = page.getByRole('button', { name: 'Sign out Firefox, Linux' })
    await end.waitFor()
    expect(await inspect('sessions')).to.deep.equal([])
    await end.click()
    await end.waitFor({ state: 'detached' })
    expect(await page.getByText('This device').count()).to.equal(1)
    expect(await ask()).to.equal(401)
    await close()
    await own.stop()
  })

  it('change the profile: the e-mail address only after the password, which may be wrong once', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
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
    const profile = await page.evaluate("fetch('/api/auth/me').then((answer) => answer.json())")
    expect(profile).to.include({ name: 'Ada Lovelace', email: 'ada@example.org', timezone: 'Europe/Berlin' })
    // The browser reports the refused change and the wrong password.
    expect(complaints).to.deep.equal([refusalReport(403, 'Forbidden'), refusalReport(401, 'Unauthorized')])
    await close()
  })

  it('change the password, language and theme', async () => {
    const { page, open, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/profile')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('another long enough password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    expect(await page.getByLabel('New password').inputValue()).to.equal('another long enough password')
    await page.getByLabel('Current password').fill(ada.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').first().waitFor()
    await page.getByText('Dark', { exact: true }).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).to.equal('dark')
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await open('/profile')
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme].join()')).to.equal('de,dark')
    await close()
  })
})
