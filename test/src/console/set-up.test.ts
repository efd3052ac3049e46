import { expect } from 'chai'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type ModelUpstream, startModelUpstream } from './model-upstream.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
/** The browser itself reports refused requests, and those of the restart. */
const isOfRequests = (text: string): boolean => /status of (4\d\d|503)|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(text)

describe('the set-up in the console', function () {
  this.timeout(180_000)
  let service: ServiceProcess
  let upstream: ModelUpstream
  before(async () => {
    upstream = await startModelUpstream()
    service = await startServiceProcess({ environment: { SERVICE_MEMORY_BACKEND: 'basic' } })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
    await upstream.close()
  })

  it('leads from the first account to a chat that answers, past every usual failure of a provider', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service)
    await open('/')
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
    expect(await inspect('set-up-provider')).to.deep.equal([])

    await page.getByRole('radio', { name: 'Other endpoint' }).check()
    const address = page.getByLabel('Address', { exact: true })
    const key = page.getByLabel('API key')
    const next = page.getByRole('button', { name: 'Test and continue' })
    await next.click()
    await page.getByText('Fill in this field.').waitFor()

    await address.fill('http://127.0.0.1:1/v1')
    await key.fill('sk-wrong')
    await next.click()
    await page.getByText('The address cannot be reached.').waitFor()

    upstream.mood = 'not_an_api'
    await address.fill(upstream.url)
    await next.click()
    await page.getByText('Something else answers at this address.').waitFor()

    upstream.mood = 'works'
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The provider refused the key.').waitFor()
    expect(await key.inputValue()).to.equal('sk-wrong')
    expect(await inspect('set-up-refused')).to.deep.equal([])

    upstream.mood = 'no_models'
    await key.fill('sk-right')
    await next.click()
    await page.getByText('The provider offers no models.').waitFor()

    upstream.mood = 'hangs'
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The provider did not answer in time.').waitFor({ timeout: 30_000 })

    upstream.mood = 'works'
    await next.click()
    await page.getByRole('heading', { name: 'Choose your models' }).waitFor()
    expect(await page.content()).not.to.include('sk-right')
    await page.getByRole('radio', { name: 'house-large' }).waitFor()
    // A model of vectors is not offered.
    expect(await page.getByText('text-embedding-house').count()).to.equal(0)
    expect(await inspect('set-up-models')).to.deep.equal([])

    // It can be left; the start page says what is missing, and leads back to where it was.
    await open('/')
    await page.getByText('the provider is there, a model is missing').first().waitFor()
    expect(await inspect('home-missing')).to.deep.equal([])
    await page.getByRole('button', { name: 'Continue the set-up' }).click()
    await page.getByRole('heading', { name: 'Choose your models' }).waitFor()

    await page.getByRole('radio', { name: 'house-large' }).check()
    const small = page.getByLabel('A small, fast model')
    expect(await small.inputValue()).to.equal('house-small')
    expect(await small.locator('option:checked').textContent()).to.equal('house-small (recommended)')
    await page.getByRole('button', { name: 'Use these models' }).click()
    await page.getByRole('heading', { name: 'Choose your first agent' }).waitFor({ timeout: 60_000 })
    expect([...upstream.called].slice(-4)).to.include.members(['house-large', 'house-small'])
    expect(await inspect('set-up-agent')).to.deep.equal([])

    await page.getByLabel('Name', { exact: true }).fill('Jeeves')
    await page.getByRole('button', { name: 'Start a chat' }).click()
    await page.waitForURL(/\/chats\/[^/]+$/)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByText('Hello from the house.').first().waitFor()
    const agents = await page.evaluate("fetch('/api/agents?limit=200').then((answer) => answer.json()).then(({ items }) => items)")
    expect((agents as readonly { readonly name: string }[]).map(({ name }) => name)).to.include('Jeeves')

    await open('/set-up')
    await page.getByText('The set-up is complete').waitFor()
    expect(await inspect('set-up-end')).to.deep.equal([])
    expect(complaints.filter((text) => !isOfRequests(text))).to.deep.equal([])
    await close()
  })

  it('keeps what was skipped, in another browser and another language, and lets it be done again', async () => {
    const { page, open, inspect, close } = await openPage(service, { credentials: ada, locale: 'de-DE' })
    const change = (target: string, body: string) =>
      page.evaluate(
        ([path, text]) =>
          fetch(path, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: text }).then(({ status }) => status),
        [target, body] as const,
      )
    // The account was made in an English console; its language goes before that of the browser.
    expect(await change('/api/auth/me', '{"language":"de"}')).to.equal(200)
    expect(await change('/api/admin/set-up', '{"steps":{"set-up-agent":"open"}}')).to.equal(200)
    await open('/set-up')
    await page.getByRole('heading', { name: 'Wähle deinen ersten Agenten' }).waitFor()
    await page.getByRole('button', { name: 'Vorerst überspringen' }).click()
    await page.getByText('Die Einrichtung ist fertig').waitFor()
    await page.getByRole('link', { name: /Erster Agent/ }).click()
    await page.getByRole('heading', { name: 'Wähle deinen ersten Agenten' }).waitFor()
    await page.getByRole('link', { name: /Modellanbieter/ }).click()
    await page.getByRole('heading', { name: 'Füge einen Modellanbieter hinzu' }).waitFor()
    await page.getByRole('button', { name: 'Weiteren hinzufügen' }).click()
    expect(await inspect('set-up-provider-de')).to.deep.equal([])
    await close()
  })
})
