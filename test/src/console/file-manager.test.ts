import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Chooses from the menu of an entry. */
async function choose(page: ConsolePage['page'], name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`(Actions for|Aktionen für) ${name}`) }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The rows of the folder; the tree beside them has links with the same names. */
const inList = (page: ConsolePage['page']) => page.locator('ul.rows')

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
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/files')
    await page.getByText('No files here').waitFor()
    const picker = page.locator('input[type=file]')
    const markup = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>window.acted = true</script><b>bold</b>') }
    await picker.setInputFiles([markup, { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n') }])
    await page.getByRole('button', { name: 'notes.md', exact: true }).waitFor()
    expect(await inspect('files')).to.deep.equal([])
    await page.getByRole('button', { name: 'page.html', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'page.html' })
    await page.frameLocator('.page-view > iframe').frameLocator('iframe').getByText('bold').waitFor()
    await sheet.getByText('Source', { exact: true }).click()
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
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
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
    await inList(page).getByRole('link', { name: 'Berichte' }).waitFor()
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
    await inList(page).getByRole('link', { name: 'Berichte' }).click()
    await page.getByRole('heading', { name: 'Berichte', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor()
    expect(await inspect('files-folder')).to.deep.equal([])
    await page.getByRole('navigation', { name: 'Ort' }).getByRole('link', { name: 'Meine Dateien' }).click()
    await inList(page).getByRole('link', { name: 'Berichte' }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('wait in the bin until they are brought back or deleted for good', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/files')
    await choose(page, 'Berichte', 'Move to the bin')
    await inList(page).getByRole('link', { name: 'Berichte' }).waitFor({ state: 'detached' })
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await inList(page).getByRole('link', { name: 'Berichte' }).waitFor()
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
    await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'My files' }).click()
    await inList(page).getByRole('link', { name: 'Berichte' }).click()
    await page.getByRole('button', { name: 'uno.txt', exact: true }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are sent in pieces, paused, and continued after the page was loaded again and the file chosen again', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/files')
    const picker = page.locator('input[type=file]')
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-upload-'))
    const large = path.join(folder, 'large.bin')
    const bytes = randomBytes(9 * 1024 * 1024)
    await writeFile(large, bytes)
    let pieces = 0
    let isHeld = (): void => undefined
    const held = new Promise<void>((resolve) => {
      isHeld = resolve
    })
    // The second piece stays on its way until the page is left.
    await page.route('**/api/files/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH') pieces += 1
      if (pieces === 2 && route.request().method() === 'PATCH') isHeld()
      else await route.continue()
    })
    await picker.setInputFiles(large)
    await held
    await page.getByRole('button', { name: 'Pause large.bin' }).click()
    await page.getByText(/% of 9\.4 MB, paused/).waitFor()
    expect(await inspect('files-upload-paused')).to.deep.equal([])
    await page.unroute('**/api/files/uploads/*')
    await page.reload()
    await page.getByText(/^44\s?% of 9\.4 MB, not finished$/).waitFor()
    expect(await inspect('files-upload-unfinished')).to.deep.equal([])
    const sent: number[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']))
    })
    await picker.setInputFiles(large)
    await page.getByRole('button', { name: 'large.bin', exact: true }).waitFor()
    expect(sent).to.deep.equal([4 * 1024 * 1024, 8 * 1024 * 1024])
    const stored = await readFile(path.join(kernel.folder, 'data/users/ada/files/large.bin'))
    expect(stored.equals(bytes)).to.equal(true)
    await rm(folder, { recursive: true, force: true })
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are found by name, copied, shown in a tree, and previewed by what they are', async () => {
    const home = path.join(kernel.folder, 'data/users/ada/files')
    await mkdir(path.join(home, 'Berichte/Alt'), { recursive: true })
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
    for (const [name, content] of [
      [
        'Berichte/Alt/plan.md',
        '# Plan\n\nCall **Bob**. <img src=x onerror="window.acted = true">\n\n<script>window.acted = true</script>\n',
      ],
      ['pixel.dat', png],
      ['page.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.acted = true"/>'],
      ['sound.bin', waveFile()],
    ] as const)
      await writeFile(path.join(home, name), content)
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/files')
    const tree = page.getByRole('navigation', { name: 'Folders' })
    await tree.getByRole('button', { name: 'Open Berichte' }).click()
    await tree.getByRole('link', { name: 'Alt' }).click()
    await page.getByRole('heading', { name: 'Alt', level: 1 }).waitFor()
    expect(await inspect('files-tree')).to.deep.equal([])
    await page.getByRole('button', { name: 'plan.md', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'plan.md' })
    await sheet.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
    expect(await inspect('files-markdown')).to.deep.equal([])
    await sheet.getByRole('button', { name: 'Checksum' }).click()
    await sheet.getByText(/^SHA-256 [0-9a-f]{64}$/).waitFor()
    await page.keyboard.press('Escape')
    await tree.getByRole('link', { name: 'My files' }).click()
    await page.getByLabel('Search by name').fill('PLAN')
    await page.getByText('My files / Berichte / Alt').waitFor()
    expect(await inspect('files-search')).to.deep.equal([])
    await page.getByLabel('Search by name').fill('')
    await choose(page, 'pixel.dat', 'Make a copy')
    await page.getByRole('button', { name: 'pixel (2).dat', exact: true }).click()
    const image = page.getByRole('dialog', { name: 'pixel (2).dat' }).locator('img')
    await image.waitFor()
    await image.evaluate('(element) => element.decode()')
    expect(await page.evaluate('document.querySelector("dialog img").naturalWidth')).to.equal(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'page.svg', exact: true }).click()
    await page.getByRole('dialog', { name: 'page.svg' }).locator('img').waitFor()
    await page.getByRole('dialog', { name: 'page.svg' }).getByText('Source', { exact: true }).click()
    await page.getByRole('dialog', { name: 'page.svg' }).getByText('<svg xmlns').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'sound.bin', exact: true }).click()
    const heard = await page.evaluate(`new Promise((resolve, reject) => {
      const look = () => {
        const audio = document.querySelector('dialog audio')
        if (!audio) return setTimeout(look, 20)
        if (audio.error) return reject(new Error(audio.error.message))
        if (audio.duration > 0) resolve(audio.duration)
        else audio.addEventListener('loadedmetadata', () => resolve(audio.duration))
      }
      look()
    })`)
    expect(heard).to.be.closeTo(0.1, 0.01)
    expect(await inspect('files-sound')).to.deep.equal([])
    await page.keyboard.press('Escape')
    expect(await page.evaluate('window.acted')).to.equal(undefined)
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('leave the service all at once, as an archive, after a confirmation', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/profile')
    await page.getByRole('button', { name: 'Export my data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    expect(await inspect('profile-export')).to.deep.equal([])
    const coming = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const download = await coming
    expect(download.suggestedFilename()).to.match(/^agent-service-ada-\d{4}-\d\d-\d\d\.zip$/)
    const archive = await readFile(await download.path())
    expect(archive.subarray(0, 2).toString()).to.equal('PK')
    expect(archive.includes('manifest.json') && archive.includes('files/files/pixel.dat')).to.equal(true)
    expect(await page.getByText('The export could not begin.').count()).to.equal(0)
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })
})

/** A tenth of a second of silence. */
function waveFile(): Buffer {
  const samples = 800
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}
