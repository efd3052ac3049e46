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

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-left-')))
    const plugins = [await writeGarden(folder, { id: 'garden' }), await writeGarden(folder, { id: 'orchard' })]
    kernel = await createTestKernel({ folder, plugins })
    await signUp(kernel.url, ada.username, ada.password)
  })
  afterEach(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  after(closeBrowser)

  /** Starts again without the garden. */
  const restart = async (): Promise<TestKernel> => {
    await kernel?.stop()
    kernel = await createTestKernel({ folder, plugins: [await writeGarden(folder, { id: 'orchard', plants: false })] })
    return kernel
  }

  it('is shown with counts, kept, and deleted after a question that says what is lost', async () => {
    const { page, open, inspect, complaints, close } = await openPage(await restart(), { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/plugins')
    await page.getByRole('heading', { name: 'Data of plugins that are not installed' }).waitFor()
    const row = page.locator('[data-left="garden"]')
    await row.getByText('garden.notes 3 documents · of people').waitFor()
    await row.getByText('Folder garden of every person').waitFor()
    expect(await page.locator('[data-left]').count()).to.equal(1)
    await row.getByRole('button', { name: 'Keep data of garden' }).click()
    await row.getByText('Kept', { exact: true }).waitFor()
    expect(await inspect('plugin-data')).to.deep.equal([])
    await row.getByRole('button', { name: 'Delete data of garden' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the data of garden?' })
    await question
      .getByText(/4 documents in 2 collections are deleted\. So are these folders of every person: garden\..*only a backup/)
      .waitFor()
    expect(await inspect('plugin-data-question')).to.deep.equal([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await row.getByText('garden.beds 1 document').waitFor()
    await row.getByRole('button', { name: 'Delete data of garden' }).click()
    await question.getByRole('button', { name: 'Delete data of garden' }).click()
    await page.locator('.toast').getByText('The data of garden was deleted').waitFor()
    await row.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { name: 'Data of plugins that are not installed' }).count()).to.equal(0)
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('of one that may be in a source that cannot be read is deleted after a second question', async () => {
    await kernel?.stop()
    kernel = await createTestKernel({
      folder,
      plugins: [path.join(folder, 'gardn'), await writeGarden(folder, { id: 'orchard', plants: false })],
    })
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/plugins')
    const row = page.locator('[data-left="garden"]')
    await row.getByText('May be installed', { exact: true }).waitFor()
    await row.getByText(/it may be installed, since plugins\.sources lists what cannot be read: .*gardn/).waitFor()
    expect(await inspect('plugin-data-unknown')).to.deep.equal([])
    await row.getByRole('button', { name: 'Delete data of garden' }).click()
    await page.getByRole('dialog', { name: 'Delete the data of garden?' }).getByRole('button', { name: 'Delete data of garden' }).click()
    const second = page.getByRole('dialog', { name: 'Is garden gone for sure?' })
    await second.getByText(/gardn/).waitFor()
    await second.getByRole('button', { name: 'Cancel' }).click()
    await row.getByText('garden.beds 1 document').waitFor()
    await row.getByRole('button', { name: 'Delete data of garden' }).click()
    await page.getByRole('dialog', { name: 'Delete the data of garden?' }).getByRole('button', { name: 'Delete data of garden' }).click()
    await second.getByRole('button', { name: 'Delete data of garden all the same' }).click()
    await page.locator('.toast').getByText('The data of garden was deleted').waitFor()
    await row.waitFor({ state: 'detached' })
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('that a plugin has left behind is deleted while the plugin runs', async () => {
    await kernel?.stop()
    kernel = await createTestKernel({ folder, plugins: [await writeGarden(folder, { id: 'garden', version: '2.0.0', withBeds: false })] })
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/plugins')
    const row = page.locator('[data-plugin="garden"]')
    await row.getByText('garden.beds 1 document').waitFor()
    expect(await inspect('plugin-data-left-behind')).to.deep.equal([])
    await row.getByRole('button', { name: 'Delete what garden left behind' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the data of garden?' })
    await question.getByText(/^1 document in 1 collection/).waitFor()
    await question.getByRole('button', { name: 'Delete what garden left behind' }).click()
    await page.locator('.toast').getByText('The data of garden was deleted').waitFor()
    await row.getByRole('button', { name: 'Delete what garden left behind' }).waitFor({ state: 'detached' })
    await row.getByText('Running', { exact: true }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('of one that is disabled is deleted beside its row, in German', async () => {
    const { page, open, inspect, complaints, close } = await openPage(await restart(), {
      credentials: ada,
      confirmed: true,
      locale: 'de-DE',
      at: 'none',
    })
    await open('/admin/plugins')
    await page.locator('[data-left="garden"]').getByText('garden.notes 3 Dokumente · von Personen').waitFor()
    const row = page.locator('[data-plugin="orchard"]')
    await row.getByText('Läuft', { exact: true }).waitFor()
    expect(await row.getByRole('button', { name: 'Daten von orchard löschen' }).count()).to.equal(0)
    await row.getByRole('switch').click()
    await row.getByRole('button', { name: 'Daten von orchard löschen' }).click()
    const question = page.getByRole('dialog', { name: 'Daten von orchard löschen?' })
    await question.getByText(/Gelöscht werden 4 Dokumente in 2 Sammlungen\. Ebenso diese Ordner jeder Person: orchard\./).waitFor()
    expect(await inspect('plugin-data-german')).to.deep.equal([])
    await question.getByRole('button', { name: 'Daten von orchard löschen' }).click()
    await page.locator('.toast').getByText('Die Daten von orchard sind gelöscht').waitFor()
    await row.getByRole('button', { name: 'Daten von orchard löschen' }).waitFor({ state: 'detached' })
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })
})
