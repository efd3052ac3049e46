import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const password = 'a long enough password'
/** The browser itself reports refused requests. */
const isOfRequests = (text: string): boolean => /status of 4\d\d/.test(text)

describe('getting an account in the console, after the first one', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  let admin: ConsolePage
  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_MEMORY_BACKEND: 'basic' }, registration: 'as-configured' })
    admin = await openPage(kernel, { credentials: { username: 'ada', password }, confirmed: true, at: 'none' })
    admin.page.setDefaultTimeout(15_000)
  })
  after(async () => {
    await admin.close()
    await closeBrowser()
    await kernel.stop()
  })

  const fill = async (page: ConsolePage['page'], username: string): Promise<void> => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
  }
  const logIn = async (page: ConsolePage['page'], username: string): Promise<void> => {
    await page.getByLabel('Name or e-mail').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }

  it('lets a person ask, who signs in once an admin has approved', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel)
    await open('/')
    await page.getByRole('link', { name: 'Ask for an account' }).click()
    await page.getByRole('heading', { name: 'Ask for an account' }).waitFor()
    expect(await inspect('register-ask')).to.deep.equal([])
    await fill(page, 'bob')
    await page.getByRole('button', { name: 'Ask for an account' }).click()
    const waiting = page.getByRole('heading', { name: 'Waiting for an administrator' })
    await waiting.waitFor()
    expect(await waiting.evaluate((element) => element === element.ownerDocument.activeElement), 'in place of the button').to.equal(true)
    expect(await inspect('register-waiting')).to.deep.equal([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await logIn(page, 'bob')
    await page.locator('.banner').getByText('waiting for an administrator').waitFor()

    await admin.open('/admin/users')
    await admin.page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    expect(await admin.inspect('users-waiting')).to.deep.equal([])
    await admin.page.getByRole('button', { name: 'Approve bob' }).click()
    await admin.page.locator('.toast').getByText('bob can sign in now').waitFor()
    await admin.page.getByRole('link', { name: /bob/ }).waitFor()
    expect(await admin.page.getByRole('heading', { name: 'Waiting for you' }).count()).to.equal(0)

    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('There is no model yet').first().waitFor()
    expect(complaints.filter((text) => !isOfRequests(text))).to.deep.equal([])
    await close()
  })

  it('lets an admin refuse a person who asks', async () => {
    const { page, open, close } = await openPage(kernel)
    await open('/register')
    await fill(page, 'mallory')
    await page.getByRole('button', { name: 'Ask for an account' }).click()
    await page.getByRole('heading', { name: 'Waiting for an administrator' }).waitFor()
    await admin.open('/admin/users')
    await admin.page.getByRole('button', { name: 'Refuse mallory' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click()
    await admin.page.locator('.toast').getByText('mallory was refused').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await logIn(page, 'mallory')
    await page.locator('.banner').getByText('name or the password is wrong').waitFor()
    await close()
  })

  it('asks in the set-up who may make an account, and writes the answer', async () => {
    await admin.open('/set-up')
    await admin.page.getByRole('heading', { name: 'Who may make an account?' }).waitFor()
    expect(await admin.inspect('set-up-registration')).to.deep.equal([])
    await admin.page.getByRole('radio', { name: /People may ask/ }).check()
    await admin.page.getByRole('button', { name: 'Save and continue' }).click()
    await admin.page.getByRole('heading', { name: 'Choose the memory' }).waitFor()
    const saved = await admin.page.evaluate("fetch('/api/admin/config').then((answer) => answer.json()).then(({ saved }) => saved.auth)")
    expect(saved).to.deep.equal({ allow_registration: true, registration_approval: true })
    await admin.open('/set-up?step=registration')
    await admin.page.getByRole('radio', { name: /Only people whom I invite/ }).check()
    await admin.page.getByRole('button', { name: 'Save and continue' }).click()
    await admin.page.getByRole('heading', { name: 'Choose the memory' }).waitFor()
    expect(
      await admin.page.evaluate("fetch('/api/admin/config').then((answer) => answer.json()).then(({ saved }) => saved.auth)"),
    ).to.include({
      allow_registration: false,
    })
  })

  it('invites a person by a link that is shown once, works once, and can be revoked', async () => {
    const invite = async (name: string, email: string): Promise<string> => {
      await admin.page.getByRole('button', { name: 'Invite', exact: true }).click()
      const dialog = admin.page.getByRole('dialog', { name: 'Invite' })
      await dialog.getByLabel('For whom').fill(name)
      await dialog.getByLabel('E-mail address').fill(email)
      if (name === 'Cyd') expect(await admin.inspect('users-invite')).to.deep.equal([])
      await dialog.getByRole('button', { name: 'Make a link' }).click()
      const made = admin.page.getByRole('dialog', { name: 'Invitation made' })
      const link = await made.locator('code').innerText()
      await made.getByText(/ It works until [^:]+:\d\d\.$/).waitFor()
      expect(await made.getByRole('button', { name: 'Done' }).evaluate((button) => button === button.ownerDocument.activeElement)).to.equal(
        true,
      )
      if (name === 'Cyd') expect(await admin.inspect('users-invited')).to.deep.equal([])
      await made.getByRole('button', { name: 'Done' }).click()
      return new URL(link).pathname + new URL(link).hash
    }
    await admin.open('/admin/users')
    const link = await invite('Cyd', 'cyd@example.org')
    const revoked = await invite('Dee', '')
    await admin.page.getByRole('heading', { name: 'Open invitations' }).waitFor()
    await admin.page.getByRole('button', { name: 'Revoke the invitation: Dee' }).click()
    await admin.page.locator('.toast').getByText('The link no longer works').waitFor()

    const { page, open, inspect, complaints, close } = await openPage(kernel)
    const paths: string[] = []
    page.on('request', (request) => paths.push(request.url()))
    await open(link)
    await page.getByRole('heading', { name: 'You are invited' }).waitFor()
    await page.getByText('cyd@example.org').waitFor()
    expect(await inspect('register-invited')).to.deep.equal([])
    await fill(page, 'cyd')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('There is no model yet').first().waitFor()
    expect(new URL(page.url()).hash).to.equal('')
    const token = link.replace(/^.*=/, '')
    expect(paths.filter((each) => new URL(each).pathname !== '/register' && each.includes(token))).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await close()
    await admin.page.getByRole('link', { name: /cyd/ }).or(admin.page.getByText('No accounts')).first().waitFor()

    for (const [path, text] of [
      [link, 'was used already'],
      [revoked, 'was revoked'],
      ['/register#invitation=guessed', 'is not valid'],
    ] as const) {
      const late = await openPage(kernel)
      await late.open(path)
      await late.page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
      await late.page.locator('.banner').getByText(text).waitFor()
      if (path === revoked) expect(await late.inspect('register-void')).to.deep.equal([])
      await late.close()
    }
  })

  it('speaks German', async () => {
    const { page, open, close } = await openPage(kernel, { locale: 'de-DE' })
    await open('/register#invitation=guessed')
    await page.getByRole('heading', { name: 'Diese Einladung gilt nicht' }).waitFor()
    await page.locator('.banner').getByText('Prüfe, ob der Link vollständig ist').waitFor()
    await close()
    expect(admin.complaints.filter((text) => !isOfRequests(text))).to.deep.equal([])
  })
})
