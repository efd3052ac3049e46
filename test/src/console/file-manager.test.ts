import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Chooses from the menu of an entry. */
async function choose(page: ConsolePage['page'], name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`(Actions for|Aktionen für) ${name}`) }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Drops files onto the page, as a person does from a folder of their own. */
const drop = async (page: ConsolePage['page'], files: Readonly<Record<string, string>>): Promise<void> => {
  await page.evaluate(`
    const transfer = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) transfer.items.add(new File([text], name))
    document.querySelector('.files-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))`)
}

/** What the browser reports as failed although it was meant to. */
const unexpected = (complaints: readonly string[]): readonly string[] => complaints.filter((text) => !/status of 4(04|09|12)/.test(text))

describe('the files of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('are uploaded, shown without acting in our origin, not overwritten, and deleted', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada })
    await open('/files')
    await page.getByText('No files here').waitFor()
    const picker = page.locator('input[type=file]')
    const markup = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>window.acted = true</script><b>bold</b>') }
    await picker.setInputFiles([markup, { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n') }])
    await page.getByRole('button', { name: 'notes.md', exact: true }).waitFor()
    expect(await inspect('files')).to.deep.equal([])
    await page.getByRole('button', { name: 'page.html', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'page.html' })
    await sheet.getByText('<script>window.acted = true</script>').waitFor()
    expect(await page.evaluate('window.acted')).to.equal(undefined)
    expect(await inspect('files-preview')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await picker.setInputFiles([markup])
    await page.getByText('A file of this name exists.').waitFor()
    await page.getByRole('button', { name: 'Dismiss page.html' }).click()
    await choose(page, 'page.html', 'Move to the bin')
    await page.getByRole('button', { name: 'page.html', exact: true }).waitFor({ state: 'detached' })
    // The browser reports that the service refused to overwrite the file.
    expect(complaints).to.deep.equal([refusalReport(412, 'Precondition Failed')])
    await close()
  })

  it('are dropped several at once, sorted into folders, renamed and moved, and counted at once', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, locale: 'de-DE' })
    await open('/files')
    await drop(page, { 'eins.txt': 'x'.repeat(4_000), 'zwei.txt': 'x'.repeat(4_000) })
    await page.getByRole('button', { name: 'zwei.txt', exact: true }).waitFor()
    await page.getByText(/^8(,\d)? kB belegt$/).waitFor()
    await page.getByRole('button', { name: 'Neuer Ordner' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Ordner' })
    await dialog.getByLabel('Name').fill('a/b')
    await dialog.getByRole('button', { name: 'Ordner anlegen' }).click()
    await dialog.getByText('Nimm einen Namen ohne Schrägstriche und Steuerzeichen.').waitFor()
    await dialog.getByLabel('Name').fill('Berichte')
    await dialog.getByRole('button', { name: 'Ordner anlegen' }).click()
    await page.getByRole('link', { name: 'Berichte' }).waitFor()
    await choose(page, 'eins.txt', 'Umbenennen')
    const rename = page.getByRole('dialog', { name: 'eins.txt umbenennen' })
    await rename.getByLabel('Name').fill('zwei.txt')
    await rename.getByRole('button', { name: 'Umbenennen' }).click()
    await rename.getByText('Etwas mit diesem Namen gibt es hier schon.').waitFor()
    await rename.getByLabel('Name').fill('uno.txt')
    await rename.getByRole('button', { name: 'Umbenennen' }).click()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor()
    await choose(page, 'uno.txt', 'Verschieben')
    const move = page.getByRole('dialog', { name: 'uno.txt verschieben' })
    await move.getByRole('button', { name: 'Berichte' }).click()
    await move.getByText('Hier sind keine Ordner').waitFor()
    expect(await inspect('files-move')).to.deep.equal([])
    await move.getByRole('button', { name: 'Hierher verschieben' }).click()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Berichte' }).click()
    await page.getByRole('heading', { name: 'Berichte', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor()
    expect(await inspect('files-folder')).to.deep.equal([])
    await page.getByRole('navigation', { name: 'Ort' }).getByRole('link', { name: 'Dateien' }).click()
    await page.getByRole('link', { name: 'Berichte' }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('wait in the bin until they are brought back or deleted for good', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada })
    await open('/files')
    await choose(page, 'Berichte', 'Move to the bin')
    await page.getByRole('link', { name: 'Berichte' }).waitFor({ state: 'detached' })
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Berichte' }).waitFor()
    for (const name of ['Berichte', 'zwei.txt']) {
      await choose(page, name, 'Move to the bin')
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Bin' }).click()
    await page.getByRole('heading', { name: 'Bin', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Bring Berichte back' }).waitFor()
    expect(await inspect('files-bin')).to.deep.equal([])
    await page.getByRole('button', { name: 'Bring Berichte back' }).click()
    await page.getByRole('button', { name: 'Bring Berichte back' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete zwei.txt for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete zwei.txt for good' }).click()
    await page.getByRole('button', { name: 'Bring zwei.txt back' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Empty the bin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty the bin' }).click()
    await page.getByText('The bin is empty').waitFor()
    await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'Files' }).click()
    await page.getByRole('link', { name: 'Berichte' }).click()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })
})
