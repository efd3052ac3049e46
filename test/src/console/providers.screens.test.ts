import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type ModelUpstream, startModelUpstream } from './model-upstream.js'
import { closeBrowser, openPage } from './open-page.js'
import { callAs } from './support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
/** The browser itself reports refused requests, and those of the restart. */
const isOfRequests = (text: string): boolean => /status of (4\d\d|503)|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(text)

/** What was saved is applied without a further click. */
const applied = async (page: Page): Promise<void> => {
  await page.getByText('The service runs with the saved changes.').first().waitFor({ timeout: 60_000 })
  await page.locator('.apply-bar').waitFor({ state: 'detached' })
}

const saved = (page: Page, section: string): Promise<unknown> =>
  page.evaluate(
    (name) =>
      fetch('/api/admin/config')
        .then((answer) => answer.json() as Promise<{ readonly saved: Readonly<Record<string, unknown>> }>)
        .then((configuration) => configuration.saved[name]),
    section,
  )

describe('providers and models in the console', function () {
  this.timeout(180_000)
  let service: ServiceProcess
  let upstream: ModelUpstream
  before(async () => {
    upstream = await startModelUpstream()
    upstream.keys = ['sk-right', 'sk-next']
    service = await startServiceProcess({ environment: { GROQ_API_KEY: 'gsk-of-the-environment' } })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
    await upstream.close()
  })

  it('add a provider and a model that run at once, are tested, and are seen in German too', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service, { credentials: ada, at: 'none' })
    await open('/admin/providers')
    await page.locator('.providers-item', { hasText: 'groq' }).getByText('Set by GROQ_API_KEY').waitFor()
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a provider' })
    await dialog.getByRole('radio', { name: 'Other endpoint' }).check()
    await dialog.getByLabel('Address', { exact: true }).fill(upstream.url)
    await dialog.getByLabel('API key').fill('sk-right')
    await dialog.getByText('Handle', { exact: false }).first().click()
    await dialog.getByLabel('Handle', { exact: true }).fill('house')
    expect(await inspect('provider-add')).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    // It decides where messages and keys go: the person is asked once, and may think better of it.
    const question = page.getByRole('dialog', { name: 'Is it you?' })
    await question.getByText('This decides where messages and keys go.').waitFor()
    expect(await inspect('provider-confirm')).to.deep.equal([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await saved(page, 'providers')).to.equal(undefined)
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await question.getByLabel('Password', { exact: true }).fill(ada.password)
    await question.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    const house = page.locator('.providers-item', { hasText: 'house' })
    await applied(page)
    await house.getByText('Saved key').waitFor()
    expect(JSON.stringify(await saved(page, 'providers'))).not.to.include('sk-right')
    await house.getByRole('button', { name: 'Actions for house' }).click()
    await page.getByRole('menuitem', { name: 'Replace key' }).click()
    const rotate = page.getByRole('dialog', { name: 'Replace the key of house' })
    await rotate.getByLabel('New key').fill('sk-mistyped')
    await rotate.getByRole('button', { name: 'Replace key' }).click()
    await rotate.getByText('The provider refused the key.').waitFor()
    expect(await inspect('provider-rotate')).to.deep.equal([])
    await rotate.getByLabel('New key').fill('sk-next')
    await rotate.getByRole('button', { name: 'Replace key' }).click()
    await rotate.waitFor({ state: 'detached' })
    upstream.keys = ['sk-next']
    await house.getByRole('button', { name: 'Test house' }).click()
    await house.getByText('house-small answered.').waitFor()
    expect(await inspect('providers')).to.deep.equal([])
    await house.getByRole('button', { name: 'Models of house' }).click()
    const sheet = page.getByRole('dialog', { name: 'Models of house' })
    await sheet.getByText('house-large').waitFor()
    expect(await inspect('provider-models')).to.deep.equal([])

    await open('/admin/models')
    await page.getByRole('button', { name: 'Add a model' }).click()
    const group = page.getByRole('dialog', { name: 'Add a model' })
    await group.getByLabel('Provider', { exact: true }).selectOption('house')
    await group.locator('option', { hasText: 'house-large' }).waitFor({ state: 'attached' })
    await group.getByLabel('Model', { exact: true }).selectOption('house-large')
    await group.getByRole('button', { name: 'Add a fallback' }).click()
    await group.getByLabel('Provider', { exact: true }).nth(1).selectOption('house')
    const fallback = group.getByLabel('Model', { exact: true }).nth(1)
    await fallback.locator('option', { hasText: 'house-small' }).waitFor({ state: 'attached' })
    await fallback.selectOption({ label: 'Another model' })
    await group.getByLabel('Model', { exact: true }).nth(1).fill('gone')
    await group.getByText('Parameters').first().click()
    const extra = group.getByLabel('extra_params').first()
    await extra.fill('{"model": "another"}')
    await group.getByRole('button', { name: 'Check and save' }).click()
    await group.getByText('is set by the service itself').waitFor()
    expect(await inspect('model-group')).to.deep.equal([])
    await extra.fill('{"top_k": 5}')
    await group.getByRole('button', { name: 'Check and save' }).click()
    await group.waitFor({ state: 'detached' })
    await applied(page)
    const primary = page.locator('.models-item', { hasText: 'Main model' })
    await primary.getByRole('button', { name: 'Test Main model' }).click()
    await primary.getByText('house-large answered.').waitFor()
    await primary.getByText('The provider does not have this model.').waitFor()
    await primary.getByText('Assistant').waitFor()
    expect(await inspect('models')).to.deep.equal([])

    await callAs(page, 'POST', '/api/admin/credentials', { brand: 'mistral', label: 'Ein Ersatz', api_key: 'sk-spare' })
    const german = await openPage(service, { credentials: ada, locale: 'de-DE', at: 'none' })
    await german.open('/admin/models')
    await german.page.locator('.models-item', { hasText: 'Hauptmodell' }).waitFor()
    expect(await german.inspect('models-de')).to.deep.equal([])
    await german.open('/admin/providers')
    await german.page.getByRole('heading', { name: 'Schlüssel ohne Verbindung' }).waitFor()
    expect(await german.inspect('providers-de')).to.deep.equal([])
    await german.page.getByRole('button', { name: 'Aktionen für house' }).click()
    await german.page.getByRole('menuitem', { name: 'Löschen' }).click()
    await german.page.getByRole('dialog', { name: 'house wird genutzt' }).getByText('Hauptmodell').waitFor()
    expect(await german.inspect('provider-in-use-de')).to.deep.equal([])
    expect([...complaints, ...german.complaints].filter((text) => !isOfRequests(text))).to.deep.equal([])
    await german.close()
    await close()
  })
})
