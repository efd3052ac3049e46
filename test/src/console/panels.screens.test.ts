import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'

const example = fileURLToPath(new URL('../../../examples/panel-dice', import.meta.url))
const ada = { username: 'ada', password: 'a long enough password' }
const grace = { username: 'grace', password: 'another long password' }

/** Signing in tries to register first, which the browser reports when the account exists. */
const unexpected = (complaints: readonly string[]): readonly string[] => complaints.filter((text) => !/status of 409/.test(text))

describe('the panels of plugins in the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ plugins: [example], environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' } })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('are pages of data: values, actions with a question, rows, and a form that keeps what was typed', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/')
    await page.getByRole('link', { name: 'Throws' }).click()
    await page.getByRole('heading', { name: 'Throws', level: 1 }).waitFor()
    await page.getByText('No throws yet.').waitFor()
    const dice = page.getByRole('textbox', { name: 'Dice' }).or(page.getByRole('spinbutton', { name: 'Dice' }))
    await dice.fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('At most 6.').waitFor()
    expect(await dice.inputValue()).to.equal('7')
    await dice.fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast').getByText('The rules are saved.').waitFor()
    await page.getByRole('button', { name: 'Throw', exact: true }).click()
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('row').nth(1).getByRole('cell').first().innerText()).to.match(/^\d+ \+ \d+ \+ \d+$/)
    await page.getByRole('button', { name: 'Throw', exact: true }).click()
    await page.getByRole('row').nth(2).waitFor()
    await page.locator('.toast').first().waitFor({ state: 'detached' })
    expect(await inspect('panels-page')).to.deep.equal([])
    await page.getByRole('button', { name: 'Forget', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Forget this throw?' }).getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Forget all' }).click()
    await page.getByRole('dialog', { name: 'Forget all throws?' }).getByRole('button', { name: 'Forget all' }).click()
    await page.getByText('No throws yet.').waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are drawn by the plugin in a frame that has the looks and the language of the console', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    await open('/panels/panel-dice-board')
    const frame = page.frameLocator('iframe[title="Würfelbrett"]')
    await frame.getByRole('button', { name: 'Würfeln' }).click()
    await frame.getByText(/^\d+ Augen$/).waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).to.equal('allow-scripts')
    expect(await inspect('panels-frame')).to.deep.equal([])
    const colour = () => frame.locator('html').evaluate('getComputedStyle(document.documentElement).colorScheme')
    expect(await colour()).to.equal('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await frame.locator('html[data-theme="dark"]').waitFor()
    expect(await colour()).to.equal('dark')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Würfel')
    await page.getByRole('option', { name: 'Würfelbrett' }).waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are settings for administrators, saved as in the settings editor, and unknown to others', async () => {
    const admin = await openPage(kernel, { credentials: ada, at: 'none' })
    await admin.open('/admin/panels/panel-dice-settings')
    await admin.page.getByLabel('Most dice').fill('5')
    await admin.page.getByRole('button', { name: /Review/ }).click()
    expect(await admin.inspect('panels-settings')).to.deep.equal([])
    await admin.page.getByRole('dialog').getByText('plugins.settings.panel-dice.max_dice').waitFor()
    await admin.page.keyboard.press('Escape')
    expect(unexpected(admin.complaints)).to.deep.equal([])
    await admin.close()

    const other = await openPage(kernel, { credentials: grace, at: 'none' })
    await other.open('/admin/panels/panel-dice-settings')
    await other.page.getByText('There is no such panel').first().waitFor()
    const listed = (await other.page.evaluate("fetch('/api/console/panels').then((answer) => answer.json())")) as {
      readonly items: readonly { readonly id: string; readonly plugin_id: string }[]
    }
    const ofPlugin = listed.items.filter(({ plugin_id }) => plugin_id === 'panel-dice')
    expect(ofPlugin.map(({ id }) => id)).to.deep.equal(['panel-dice', 'panel-dice-board'])
    expect(await other.inspect('panels-none')).to.deep.equal([])
    await other.close()
  })
})
