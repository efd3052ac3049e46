import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { artefacts, type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the components of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let opened: ConsolePage
  before(async () => {
    kernel = await createTestKernel()
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
    await opened.open('/components')
  })
  after(async () => {
    await opened.close()
    await closeBrowser()
    await kernel.stop()
  })

  it('have no serious fault of accessibility in either theme and at either width', async () => {
    const { page, inspect, complaints } = opened
    expect(await inspect('components')).to.deep.equal([])
    // The content scrolls inside the page: a tall window shows all of it.
    for (const [name, width, scheme] of [
      ['wide-light', 1440, 'light'],
      ['wide-dark', 1440, 'dark'],
      ['phone-light', 360, 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: width === 360 ? 5_200 : 3_400 })
      await mkdir(artefacts, { recursive: true })
      await writeFile(path.join(artefacts, `components-all-${name}.png`), await page.screenshot())
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    expect(complaints).to.deep.equal([])
  })

  it('mirror where text runs from right to left, and nothing scrolls sideways', async () => {
    const { page } = opened
    await page.evaluate("document.documentElement.dir = 'rtl'")
    expect(await opened.inspect('components-rtl')).to.deep.equal([])
    const side = await page.locator('nav.side').boundingBox()
    expect(side?.x).to.be.above(720)
    await page.evaluate("document.documentElement.dir = 'ltr'")
  })

  it('confirm with a dialog that keeps the focus and gives it back', async () => {
    const { page } = opened
    const opener = page.getByRole('button', { name: 'Delete Ops' })
    await opener.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Keep it')
    expect(await opened.inspect('dialog')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Delete Ops')
    await page.locator('.toast').getByText('Kept “Ops”').waitFor()
  })

  it('open a menu that arrows move through', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Actions of the chat' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Delete')
    await page.keyboard.press('Escape')
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).to.equal('Actions of the chat')
  })

  it('make a form from a schema that names what does not fit and keeps what was typed', async () => {
    const { page } = opened
    const form = page.locator('form.form')
    const handle = form.getByLabel('Handle')
    await handle.fill('Not A Handle')
    await form.getByLabel('Max retries').fill('99')
    await form.getByLabel('Extra').fill('{ broken')
    await form.getByRole('button', { name: 'Add provider' }).click()
    await form.getByText('This does not have the expected form.').waitFor()
    await form.getByText('At most 10.').waitFor()
    await form.getByText('This is not valid JSON.').waitFor()
    expect(await handle.inputValue()).to.equal('Not A Handle')
    expect(await page.evaluate('document.activeElement.value')).to.equal('Not A Handle')
    await handle.fill('meridian-2')
    await form.getByLabel('Max retries').fill('4')
    await form.getByLabel('Extra').fill('{"a": 1}')
    await form.getByRole('button', { name: 'Add provider' }).click()
    await page.locator('.toast').getByText('Added “meridian-2”').waitFor()
  })

  it('find places and commands in the palette by keyboard alone', async () => {
    const { page, inspect } = opened
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    await page.keyboard.type('ho')
    expect(await inspect('palette')).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'What should get done?' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/')
    // The field of the start page has the focus, unless the palette was still closing: there `?` is a letter.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await inspect('shortcuts')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(opened.complaints).to.deep.equal([])
  })
})
