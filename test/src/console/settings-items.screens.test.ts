import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'
import { ada, lineOf, type SettingsKernel, startSettingsKernel } from './support/settings-kernel.js'

describe('lists of objects in the settings editor', function () {
  this.timeout(60_000)
  let settings: SettingsKernel
  before(async () => {
    settings = await startSettingsKernel()
  })
  after(async () => {
    await closeBrowser()
    await settings.stop()
  })

  it('are rows with a field for each member, moved and removed in place, and JSON for the rest', async () => {
    const { page, open, inspect, complaints, close } = await openPage(settings.kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/settings?section=models')
    const line = lineOf(page, 'models.primary.fallbacks')
    const entry = (number: number) => line.getByRole('group', { name: `Entry ${number}` })
    const add = line.getByRole('button', { name: 'Add an entry' })
    await add.click()
    await entry(1).getByLabel('Provider').fill('work')
    await entry(1).getByLabel('Model', { exact: true }).fill('small')
    await entry(1).getByLabel('Add a field').selectOption('temperature')
    await entry(1).getByLabel('Temperature').fill('warm')
    await line.locator('.help.err').first().waitFor()
    await entry(1).getByLabel('Temperature').fill('0.5')
    await line.locator('.help.err').first().waitFor({ state: 'detached' })
    await add.click()
    await entry(2).getByLabel('Provider').fill('work')
    await entry(2).getByLabel('Model', { exact: true }).fill('tiny')
    await line.getByRole('button', { name: 'Move entry 2 up' }).click()
    expect(await entry(1).getByLabel('Model', { exact: true }).inputValue()).to.equal('tiny')
    expect(await entry(1).getByLabel('Temperature').count()).to.equal(0)
    expect(await inspect('settings-items')).to.deep.equal([])
    await line.getByRole('button', { name: 'Edit as JSON' }).click()
    const text = line.locator('textarea')
    expect(JSON.parse(await text.inputValue())).to.deep.equal([
      { provider: 'work', model: 'tiny' },
      { provider: 'work', model: 'small', temperature: 0.5 },
    ])
    await text.fill('[{ "provider": "work", "model": "tiny", "retry": { "max_retries": 1 } }]')
    await line.getByRole('button', { name: 'Edit in fields' }).click()
    await entry(1).getByText('Only as JSON: retry').waitFor()
    await entry(1).getByLabel('Model', { exact: true }).fill('smallest')
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save 1 change' }).click()
    await page.locator('.toast').getByText('Saved.', { exact: false }).waitFor()
    const saved = "fetch('/api/admin/config').then(async (answer) => (await answer.json()).saved.models.primary.fallbacks)"
    expect(await page.evaluate(saved)).to.deep.equal([{ provider: 'work', model: 'smallest', retry: { max_retries: 1 } }])
    expect(complaints.filter((text) => !/status of 4/.test(text))).to.deep.equal([])
    await close()
  })
})
