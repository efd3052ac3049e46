import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writeGarden } from '../plugins/support/garden-plugin.js'
import { signUp } from '../support/api.js'
import { closeBrowser, openPage } from './open-page.js'
import { ada, unexpected } from './support/settings-kernel.js'

describe('the data of plugins that do not run, in the console', function () {
  this.timeout(90_000)
  let folder: string
  let kernel: TestKernel | undefined

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-left-')))
    const plugins = [await writeGarden(folder, { id: 'garden' }), await writeGarden(folder, { id: 'orchard' })]
    kernel = await createTestKernel({ folder, plugins })
    await signUp(kernel.url, ada.username, ada.password)
    await kernel.stop()
    // The garden may still be in a folder that is misspelt, and the orchard has no beds any more.
    const orchard = await writeGarden(folder, { id: 'orchard', version: '2.0.0', withBeds: false })
    kernel = await createTestKernel({ folder, plugins: [path.join(folder, 'gardn'), orchard] })
  })
  after(async () => {
    await closeBrowser()
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is deleted, of a plugin that may be gone and of one that runs, after questions that say what is lost, in German', async () => {
    if (!kernel) throw new Error('It does not run.')
    const { page, open, inspect, complaints, close } = await openPage(kernel, {
      credentials: ada,
      confirmed: true,
      locale: 'de-DE',
      at: 'none',
    })
    await open('/admin/plugins')
    const gone = page.locator('[data-left="garden"]')
    await gone.getByText('garden.notes 3 Dokumente · von Personen').waitFor()
    await gone.getByText(/it may be installed, since plugins\.sources lists what cannot be read: .*gardn/).waitFor()
    expect(await page.locator('[data-left]').count()).to.equal(1)
    const runs = page.locator('[data-plugin="orchard"]')
    await runs.getByText('orchard.beds 1 Dokument').waitFor()
    expect(await inspect('plugin-data')).to.deep.equal([])
    await gone.getByRole('button', { name: 'Daten von garden behalten' }).click()
    await gone.getByText('Behalten', { exact: true }).waitFor()

    await gone.getByRole('button', { name: 'Daten von garden löschen' }).click()
    const question = page.getByRole('dialog', { name: 'Daten von garden löschen?' })
    await question.getByText(/Gelöscht werden 4 Dokumente in 2 Sammlungen\. Ebenso diese Ordner jeder Person: garden\./).waitFor()
    expect(await inspect('plugin-data-question')).to.deep.equal([])
    await question.getByRole('button', { name: 'Daten von garden löschen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Daten von garden trotzdem löschen' }).click()
    await page.locator('.toast').getByText('Die Daten von garden sind gelöscht').waitFor()
    await gone.waitFor({ state: 'detached' })

    const remove = runs.getByRole('button', { name: 'Löschen, was orchard zurückgelassen hat' })
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen, was orchard zurückgelassen hat' }).click()
    await remove.waitFor({ state: 'detached' })
    await runs.getByText('Läuft', { exact: true }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })
})
