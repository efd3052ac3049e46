import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
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

  it('are made in the menus of chats and files and shown once, open for people without an account, and are revoked, in German', async () => {
    const opened = await openPage(kernel, { credentials: ada, at: 'none', locale: 'de-DE' })
    const { page, context, open, inspect } = opened
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const reader = await openPage(kernel)
    const ready = page.getByRole('dialog', { name: 'Dein Link ist fertig' })
    /** Makes the link that the open dialog asks for, and gives its path. */
    const create = async (): Promise<string> => {
      await page.getByRole('button', { name: 'Link erstellen' }).click()
      const link = await ready.getByRole('textbox', { name: 'Link zur Seite' }).inputValue()
      expect(link).to.match(/\/p\/[\w-]{22}$/)
      return new URL(link).pathname
    }

    const { items } = (await (await context.request.get('/api/agents')).json()) as { readonly items: readonly { readonly id: string }[] }
    const made = await context.request.post('/api/chats', { data: { agent_id: items[0]?.id, title: 'Plan für Samstag' } })
    await open(`/chats/${((await made.json()) as { readonly id: string }).id}`)
    await page.getByRole('button', { name: 'Aktionen für diesen Chat' }).first().click()
    await page.getByRole('menuitem', { name: 'Per Link teilen' }).click()
    await page.getByRole('dialog', { name: 'Plan für Samstag teilen' }).waitFor()
    await reader.open(await create())
    await reader.page.getByRole('heading', { name: 'Plan für Samstag' }).waitFor()
    await ready.getByRole('button', { name: 'Fertig' }).click()

    const headers = { 'content-type': 'application/octet-stream' }
    const uploaded = await context.request.put('/api/files/content?path=files/report.md', { headers, data: '# Report\n\nAll is **well**.' })
    expect(uploaded.status()).to.equal(201)
    await page.locator('.side').getByRole('link', { name: 'Dateien' }).click()
    await page.getByRole('button', { name: 'Aktionen für report.md' }).click()
    await page.getByRole('menuitem', { name: 'Per Link teilen' }).click()
    await page.getByRole('dialog', { name: 'report.md teilen' }).waitFor()
    expect(await inspect('shares-new')).to.deep.equal([])
    const link = await create()
    await ready.getByRole('button', { name: 'Link zur Seite kopieren' }).click()
    await ready.getByText('Kopiert').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).to.include(link)
    expect(await inspect('shares-ready')).to.deep.equal([])
    await ready.getByRole('button', { name: 'Fertig' }).click()
    await reader.open(link)
    await reader.page.getByText('All is well.').waitFor()
    expect(await reader.inspect('shared-file')).to.deep.equal([])
    expect(reader.complaints).to.deep.equal([])

    await page.locator('button.who').click()
    await page.getByRole('menuitem', { name: 'Freigabelinks' }).click()
    await page.locator('.shares-row', { hasText: 'report.md' }).getByText('Einmal geöffnet').waitFor()
    expect(await page.locator('main').innerText()).not.to.contain(link.slice(-22))
    expect(await inspect('shares')).to.deep.equal([])
    for (const name of ['report.md', 'Plan für Samstag']) {
      await page.getByRole('button', { name: `Link zu ${name} widerrufen` }).click()
      await page.getByRole('button', { name: 'Link widerrufen' }).click()
      await page.getByText(`Der Link zu ${name} funktioniert nicht mehr.`).first().waitFor()
    }
    await page.getByText('Noch keine Links').waitFor()
    expect(await inspect('shares-empty')).to.deep.equal([])
    await reader.open(link)
    await reader.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    expect(await reader.inspect('shared-missing')).to.deep.equal([])

    await page.getByRole('button', { name: 'Neuer Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Link' })
    await dialog.getByLabel('Pfad der Datei').fill('files/fehlt.pdf')
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await inspect('shares-refused')).to.deep.equal([])
    expect(opened.complaints.filter((text) => !/status of 404/.test(text))).to.deep.equal([])
    await reader.close()
    await opened.close()
  })
})
