import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('signing in to the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_MEMORY_BACKEND: 'basic' } })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('begins with the first account, which leads into the console', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel)
    await open('/')
    expect(await page.locator('h1').innerText()).to.equal('Set up Agent Service')
    expect(await inspect('first-account')).to.deep.equal([])
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('shows the sign-in page at every address, and then what was asked for', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel)
    await open('/components?a=1')
    await page.goto('/agents-that-are-not-there')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await inspect('sign-in')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await page.getByLabel('Name or e-mail').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/agents-that-are-not-there')
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('shows the console where another tab signs in', async () => {
    const { page, context, open, complaints, close } = await openPage(kernel)
    await open('/')
    const other = await context.newPage()
    await other.goto('/files')
    await other.getByLabel('Name or e-mail').fill(ada.username)
    await other.getByLabel('Password', { exact: true }).fill(ada.password)
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    await page.locator('nav.side').getByRole('link', { name: 'Files', exact: true }).waitFor({ state: 'attached' })
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('keeps what was typed when the password is wrong', async () => {
    const { page, open, close } = await openPage(kernel)
    await open('/')
    await page.getByLabel('Name or e-mail').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await page.locator('.banner').waitFor()
    expect(await page.getByLabel('Name or e-mail').inputValue()).to.equal(ada.username)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).to.equal('not the password')
    await close()
  })
})
