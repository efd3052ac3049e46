import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createClient } from '../security/support/clients.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Ends the session of a page as another device would: the page is not told. */
const endSession = "fetch('/api/auth/logout', { method: 'POST' }).then((answer) => answer.status)"

describe('the session of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
    await createClient(kernel.url).signUp(ada.username, ada.password, setUpCodeOf(kernel))
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('ends while a person types: a dialog asks for the password, and the text is still there', async () => {
    const { page, open, inspect, close } = await openPage(kernel, { trustedProxy: true, credentials: ada, at: 'none' })
    await open('/components')
    const field = page.getByLabel('Instructions')
    await field.fill('half a sentence')
    expect(await page.evaluate(endSession)).to.equal(204)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    expect(await inspect('expired')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.keyboard.press('Enter')
    await dialog.locator('.help.err').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await field.inputValue()).to.equal('half a sentence')
    await close()
  })

  it('is renewed in all tabs by one sign-in, and left in all tabs by one sign-out', async () => {
    const { page, context, open, close } = await openPage(kernel, { trustedProxy: true, credentials: ada })
    const other = await context.newPage()
    await other.goto('/components')
    await other.getByLabel('Instructions').fill('in the other tab')
    await open('/components')
    await page.evaluate(endSession)
    await page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Password', { exact: true }).fill(ada.password)
    await other.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await page.keyboard.press('Enter')
    await other.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await other.getByLabel('Instructions').inputValue()).to.equal('in the other tab')
    await page.getByRole('button', { name: 'ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
  })

  it('is not shown again by the way back after it has ended', async () => {
    const { page, open, close } = await openPage(kernel, { trustedProxy: true, credentials: ada, at: 'none' })
    await open('/memory')
    // Playwright keeps no pages for the way back, so the page is told that it was kept.
    const comeBack = "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    const stream = page.waitForRequest((request) => request.url().endsWith('/api/events'))
    await page.evaluate(comeBack)
    await stream
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
    await page.evaluate("fetch('/api/auth/logout', { method: 'POST' }).then(() => undefined)")
    await page.evaluate(comeBack)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
  })

  it('is renewed where the clock of the device was ahead', async () => {
    const { page, open, close } = await openPage(kernel, { trustedProxy: true, credentials: ada, at: 'none' })
    await open('/components')
    await page.evaluate("localStorage.setItem('console.refreshed', String(Date.now() + 10 * 86_400_000))")
    const renewed = page.waitForResponse((response) => response.url().endsWith('/api/auth/refresh'))
    await page.reload()
    expect((await renewed).status()).to.equal(200)
    await close()
  })

  it('gives scripts no credential: none in storage, in readable cookies or in requests', async () => {
    const { page, context, open, close } = await openPage(kernel, { trustedProxy: true, credentials: ada })
    const authorizations: string[] = []
    context.on('request', (request) => {
      const value = request.headers()['authorization']
      if (value !== undefined || request.url().includes('token=')) authorizations.push(request.url())
    })
    await open('/')
    const stored = String(
      await page.evaluate('JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])'),
    )
    expect(stored).to.not.match(/eyJ|svc_|token/)
    expect((await context.cookies()).map(({ name, httpOnly }) => [name, httpOnly])).to.deep.equal([['refresh_token', true]])
    expect(authorizations).to.deep.equal([])
    await close()
  })

  it('refuses markup from text and scripts in the page', async () => {
    const { page, open, close } = await openPage(kernel, { trustedProxy: true, credentials: ada, at: 'none' })
    await open('/')
    const tried = (code: string) => page.evaluate(`(() => { try { ${code}; return 'allowed' } catch (error) { return error.name } })()`)
    expect(await tried("document.body.innerHTML = '<b>x</b>'")).to.equal('TypeError')
    expect(await tried("new Worker('https://example.org/x.js')")).to.equal('TypeError')
    expect(await tried("trustedTypes.createPolicy('mine', {})")).to.equal('TypeError')
    expect(await tried("trustedTypes.createPolicy('console', {})")).to.equal('TypeError')
    await page.evaluate("document.body.setAttribute('onclick', 'window.clicked = true')").catch(() => undefined)
    await page.evaluate('document.body.click()')
    expect(await page.evaluate('window.clicked')).to.equal(undefined)
    await close()
  })

  it('says in German what it says in English, and remembers it', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { trustedProxy: true, locale: 'de-DE' })
    await open('/')
    expect(await page.locator('h1').innerText()).to.equal('Anmelden')
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de')
    expect(await inspect('sign-in-german')).to.deep.equal([])
    await page.getByLabel('Sprache', { exact: true }).selectOption('en')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await open('/register')
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    expect(await inspect('register')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await close()
  })
})

describe('signing in to a service with other settings', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({
      environment: {
        SERVICE_SERVER_BASE_URL: 'http://localhost',
        SERVICE_SERVER_TRUSTED_PROXIES: '192.0.2.1',
        SERVICE_AUTH_ALLOW_REGISTRATION: 'false',
        SERVICE_MEMORY_BACKEND: 'basic',
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('asks for the set-up code where the first account needs it, and says what is closed', async () => {
    const code = setUpCodeOf(kernel)
    const { page, open, inspect, close } = await openPage(kernel)
    await open('/')
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Set-up code').fill('not the code')
    expect(await inspect('set-up-code')).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByText('This is not the code that the service printed.').waitFor()
    expect(await page.getByLabel('Username').inputValue()).to.equal(ada.username)
    await page.getByLabel('Set-up code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
    await close()
    const visitor = await openPage(kernel)
    await visitor.open('/register')
    await visitor.page.getByRole('heading', { name: 'Registration is closed' }).waitFor()
    expect(await visitor.inspect('registration-closed')).to.deep.equal([])
    await visitor.close()
  })
})
