import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { artefacts, type ConsolePage, closeBrowser, openPage, widths } from './open-page.js'

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

  it('have no serious fault of accessibility in any look and direction, also what opens over the page', async () => {
    const { page, inspect, complaints } = opened
    expect(await inspect('components')).to.deep.equal([])
    await keepWhole(page)
    await page.evaluate("document.documentElement.dir = 'rtl'")
    expect(await inspect('components-rtl')).to.deep.equal([])
    const side = await page.locator('nav.side').boundingBox()
    expect(side?.x).to.be.above(720)
    await page.evaluate("document.documentElement.dir = 'ltr'")

    await page.getByRole('button', { name: 'Delete Ops' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Keep it')
    expect(await inspect('dialog')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Delete Ops')

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
    expect(complaints).to.deep.equal([])
  })
})

/** Keeps pictures of the whole page, where all looks are inspected: its content scrolls inside, a tall window shows all of it. */
async function keepWhole(page: ConsolePage['page']): Promise<void> {
  if (process.env['CONSOLE_LOOKS'] !== undefined) return
  await mkdir(artefacts, { recursive: true })
  for (const [name, width, colorScheme] of [
    ['wide-light', 1440, 'light'],
    ['wide-dark', 1440, 'dark'],
    ['phone-light', 360, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width === 360 ? 5_200 : 3_400 })
    await writeFile(path.join(artefacts, `components-all-${name}.png`), await page.screenshot())
  }
  await page.setViewportSize(widths.wide)
  await page.emulateMedia({ colorScheme: 'light' })
}
