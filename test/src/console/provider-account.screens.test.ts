import { expect } from 'chai'
import { type CredentialsKernel, startCredentialsKernel } from '../credentials/support/credentials-kernel.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('a provider with an account in the console', function () {
  this.timeout(60_000)
  let service: CredentialsKernel
  before(async () => {
    service = await startCredentialsKernel()
  })
  after(async () => {
    await closeBrowser()
    await service.close()
  })

  it('is signed in to with a code, in place of a key, and saved with the account', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service.kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/providers')
    await page.getByRole('button', { name: 'Add a provider' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a provider' })
    await dialog.getByLabel('Find a provider').fill('copilot')
    await dialog.getByRole('radio', { name: 'GitHub Copilot' }).check()
    await dialog.getByRole('button', { name: /^Sign in with/ }).click()
    const code = dialog.locator('.providers-code')
    await code.waitFor()
    expect(await dialog.getByRole('link', { name: /^Open / }).getAttribute('href')).to.equal('https://vendor.example/device')
    expect(await inspect('provider-account')).to.deep.equal([])
    service.vendor.approveDevice(await code.innerText())
    await dialog.getByText(/^Signed in with/).waitFor()
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const saved = await page.evaluate(
      "fetch('/api/admin/config').then(async (answer) => (await answer.json()).saved.providers['github-copilot'])",
    )
    const { items } = (await page.evaluate("fetch('/api/admin/credentials').then((answer) => answer.json())")) as {
      readonly items: readonly { readonly id: string; readonly kind: string }[]
    }
    expect(items.map(({ kind }) => kind)).to.deep.equal(['account'])
    expect(saved).to.include({ credential_id: items[0]?.id })
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('is cancelled when the person leaves the dialog', async () => {
    const { page, open, close } = await openPage(service.kernel, { credentials: ada, at: 'none' })
    await open('/admin/providers')
    await page.getByRole('button', { name: 'Add a provider' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a provider' })
    await dialog.getByRole('radio', { name: 'OpenAI', exact: true }).check()
    await dialog.getByRole('button', { name: /^Sign in with/ }).click()
    const href = await dialog.getByRole('link', { name: /^Open / }).getAttribute('href')
    expect(href).to.contain('code_challenge')
    const cancelled = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    expect(((await (await cancelled).json()) as { readonly state: string }).state).to.equal('cancelled')
    await close()
  })
})
