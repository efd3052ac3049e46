import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { signUp } from '../support/api.js'
import { type ConsolePage, closeBrowser, looks, openPage } from './open-page.js'
import shedPlugin, { shedPassword, shedSecret } from './support/shed-plugin.js'

const ada = { username: 'ada', password: 'a long enough password' }
const bob = { username: 'bob', password: 'a long enough password' }

describe('vaults in the console', function () {
  this.timeout(90_000)
  let folder: string
  /** Where a vault of the service should be: every connection is closed at once. */
  let down: Server
  let kernel: TestKernel
  let opened: ConsolePage

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-console-vaults-'))
    const plugin = await writeTestPlugin(path.join(folder, 'plugin'), shedPlugin, new URL('./support/shed-plugin.js', import.meta.url))
    down = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(down, 'listening')
    const address = `http://127.0.0.1:${(down.address() as AddressInfo).port}`
    const environment = { SERVICE_VAULT_VAULTTHREE_ADDRESS: address, SERVICE_VAULT_VAULTTHREE_TOKEN: 'hvs.any' }
    kernel = await createTestKernel({ folder, plugins: [plugin], environment })
    await signUp(kernel.url, ada.username, ada.password)
    await signUp(kernel.url, bob.username, bob.password)
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await closeBrowser()
    await kernel?.stop()
    down.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are connected with the form of their kind, say why they fail, and have items to grant', async () => {
    const { page, open, inspect } = opened
    await open('/vaults')
    const service = page.getByRole('listitem').filter({ hasText: 'Of the service' })
    await service.getByRole('button', { name: /^Test / }).click()
    await service.getByText(/Last error, .*:/).waitFor()
    await service.getByText(/is not available: .*Try again later/).waitFor()
    await service.getByText(/Tries again/).waitFor()
    expect(await service.getByRole('button', { name: /^Actions/ }).count()).to.equal(0)

    await page.getByRole('button', { name: 'Connect a vault' }).click()
    const form = page.getByRole('dialog', { name: 'Connect a vault' })
    await form.getByLabel('Kind of vault').selectOption({ label: 'Shed' })
    await form.getByLabel('Title of this connection').fill('Our shed')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText('Fill in this field.').first().waitFor()
    await form.getByLabel('Place').fill('garden')
    await form.getByLabel('Password', { exact: true }).fill('a wrong one')
    expect(await form.getByLabel('Password', { exact: true }).getAttribute('type')).to.equal('password')
    expect(await inspect('vaults-connect')).to.deep.equal([])
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.waitFor({ state: 'detached' })
    const shed = page.getByRole('listitem').filter({ hasText: 'Our shed' })
    await shed.getByText('The shed refused the credentials').waitFor()
    expect(await inspect('vaults')).to.deep.equal([])

    await shed.getByRole('button', { name: 'Actions for Our shed' }).click()
    await page.getByRole('menuitem', { name: 'Enter the connection again' }).click()
    const again = page.getByRole('dialog', { name: 'Connect Our shed again' })
    expect(await again.getByLabel('Place').inputValue()).to.equal('garden')
    expect(await again.getByLabel('Password', { exact: true }).inputValue()).to.equal('')
    await again.getByLabel('Password', { exact: true }).fill(shedPassword)
    await again.getByRole('button', { name: 'Connect' }).click()
    await shed.getByText('3 items').waitFor()
    await shed.getByText('Shed in the garden').waitFor()

    await shed.getByRole('link', { name: 'Our shed' }).click()
    await page.getByLabel('Search the items').fill('Garden')
    await page.getByText('Printer').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Grant Garden gate' }).click()
    const grant = page.getByRole('dialog', { name: 'Grant Garden gate' })
    await grant.getByText('Left empty: garden-gate.').waitFor()
    await grant.getByRole('button', { name: 'Grant', exact: true }).click()
    await page.getByText(/^Granted to /).waitFor()
    expect(await inspect('vaults-items')).to.deep.equal([])
    await open('/credentials')
    await page.getByText('From Our shed').waitFor()
    await page.getByText('Secret: password').waitFor()
    expect(await page.content()).not.to.contain(shedSecret)

    await open('/vaults')
    await shed.getByRole('button', { name: 'Actions for Our shed' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByText('Every grant of its items ends at once.').waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await shed.waitFor({ state: 'detached' })
    expect(opened.complaints).to.deep.equal([])
  })

  it('of the service are tested by administrators, who decide who may use them', async () => {
    const { page, open, inspect } = opened
    await open('/admin/vaults')
    const row = page.getByRole('listitem').filter({ hasText: 'system-kv2' })
    await row.getByText('Used by: Administrators').waitFor()
    expect(await inspect('admin-vaults')).to.deep.equal([])
    await row.getByRole('button', { name: /^Access to/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Who may use/ })
    await dialog.getByLabel('Who may use it').selectOption({ label: 'Certain people' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Choose at least one person.').waitFor()
    await dialog.getByLabel('bob').check()
    expect(await inspect('admin-vaults-access')).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await row.getByText('Used by: one person').waitFor()
    expect(opened.complaints.filter((text) => !/status of 403/.test(text))).to.deep.equal([])

    const phone = await openPage(kernel, { credentials: bob, at: 'none', locale: 'de-DE', look: looks[3] })
    await phone.open('/vaults')
    await phone.page.getByText('Vom Dienst').waitFor()
    await phone.page.getByText('Der Tresor hat nicht geantwortet oder ist nicht erreichbar.').waitFor()
    expect(await phone.inspect('vaults-german')).to.deep.equal([])
    await phone.page.getByRole('button', { name: 'Tresor verbinden' }).click()
    await phone.page.getByLabel('Art des Tresors').selectOption({ label: 'KeePass' })
    await phone.page.getByText('Schlüsseldatei', { exact: true }).waitFor()
    expect(await phone.inspect('vaults-connect-german')).to.deep.equal([])
    expect(phone.complaints).to.deep.equal([])
    await phone.close()
  })
})
