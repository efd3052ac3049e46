import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { openChat } from './chat-support.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('share links in the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  const upload = (name: string, body: string): string =>
    `fetch('/api/files/content?path=files/${name}', { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: ${JSON.stringify(body)} }).then((answer) => answer.status)`

  it('are made from a file and shown once, listed with their uses, and revoked', async () => {
    const opened = await openPage(kernel, { credentials: ada })
    const { page, context, open, inspect, complaints, close } = opened
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    expect(await page.evaluate(upload('report.md', '# Report\n\nAll is **well**.'))).to.equal(201)
    await open('/shares')
    await page.getByText('No links yet').waitFor()
    expect(await inspect('shares-empty')).to.deep.equal([])
    await open('/files')
    await page.getByRole('button', { name: 'Actions for report.md' }).click()
    await page.getByRole('menuitem', { name: 'Share by link' }).click()
    const asks = page.getByRole('dialog', { name: 'Share report.md' })
    await asks.getByText('Everyone with the link can read the file').waitFor()
    expect(await inspect('shares-new')).to.deep.equal([])
    await asks.getByLabel('Works for').selectOption({ label: 'One week' })
    await asks.getByRole('button', { name: 'Create link' }).click()
    const ready = page.getByRole('dialog', { name: 'Your link is ready' })
    await ready.waitFor()
    const link = await ready.getByRole('textbox', { name: 'Link to the page' }).inputValue()
    expect(link).to.match(/\/p\/[\w-]{22}$/)
    await ready.getByRole('button', { name: 'Copy the link to the page' }).click()
    await ready.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(link)
    expect(await inspect('shares-ready')).to.deep.equal([])
    await ready.getByRole('button', { name: 'Done' }).click()
    await ready.waitFor({ state: 'detached' })

    const reader = await openPage(kernel)
    await reader.open(new URL(link).pathname)
    await reader.page.getByText('All is well.').waitFor()
    expect(await reader.inspect('shared-file')).to.deep.equal([])
    expect(reader.complaints).to.deep.equal([])

    await open('/shares')
    await page.getByText('Opened once').waitFor()
    expect(await inspect('shares')).to.deep.equal([])
    expect(await page.locator('main').innerText()).not.to.contain(link.slice(-22))
    await page.getByRole('button', { name: 'Revoke the link to report.md' }).click()
    await page.getByRole('button', { name: 'Revoke link' }).click()
    await page.getByText('The link to report.md no longer works.').first().waitFor()
    await reader.open(new URL(link).pathname)
    await reader.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    expect(await reader.inspect('shared-missing')).to.deep.equal([])
    await reader.close()
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('are made from a chat in its menu and here, in German, and keep what was chosen after an error', async () => {
    const opened = await openPage(kernel, { credentials: ada, locale: 'de-DE' })
    const { page, open, inspect, complaints, close } = opened
    await openChat(opened, {}, 'Plan für Samstag')
    await page.getByRole('button', { name: 'Aktionen für diesen Chat' }).first().click()
    await page.getByRole('menuitem', { name: 'Per Link teilen' }).click()
    await page.getByRole('dialog', { name: 'Plan für Samstag teilen' }).getByText('Spätere Nachrichten erscheinen nicht.').waitFor()
    await page.keyboard.press('Escape')
    await open('/shares')
    await page.getByRole('button', { name: 'Neuer Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Link' })
    await dialog.getByLabel('Pfad der Datei').fill('files/fehlt.pdf')
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Pfad der Datei').inputValue()).to.equal('files/fehlt.pdf')
    expect(await inspect('shares-refused')).to.deep.equal([])
    await dialog.getByLabel('Was du teilst').selectOption({ label: 'Chat' })
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    const ready = page.getByRole('dialog', { name: 'Dein Link ist fertig' })
    const link = await ready.getByRole('textbox', { name: 'Link zur Seite' }).inputValue()
    await ready.getByRole('button', { name: 'Fertig' }).click()
    await page.getByText('Nie geöffnet').waitFor()
    expect(await inspect('shares-german')).to.deep.equal([])
    await page.goto(new URL(link).pathname)
    await page.getByRole('heading', { name: 'Plan für Samstag' }).waitFor()
    expect(complaints.filter((text) => !/status of 404/.test(text))).to.deep.equal([])
    await close()
  })
})
