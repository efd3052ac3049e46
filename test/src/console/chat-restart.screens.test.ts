import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { closeBrowser, openPage } from './open-page.js'

const source = fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))
const words = Array.from({ length: 60 }, (_, index) => `word${index}`)

const environment = {
  SERVICE_PLUGINS_SOURCES: JSON.stringify([path.resolve(source)]),
  SERVICE_PLUGINS_SETTINGS: JSON.stringify({
    'provider-scripted': { models: { slow: { word_delay_ms: 50, answers: [{ when: '', reply: words.join(' ') }] } } },
  }),
  SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
  SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'slow', api: 'scripted' } }),
}

describe('a chat of the console while the service is killed', function () {
  this.timeout(90_000)
  let service: ServiceProcess
  before(async () => {
    service = await startServiceProcess({ environment })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
  })

  it('has the whole answer once after the restart, and sends what was written meanwhile once', async () => {
    const { page, open, close } = await openPage(service, { credentials: { username: 'ada', password: 'a long enough password' } })
    const id = await page.evaluate(async () => {
      const answer = await fetch('/api/chats', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      return ((await answer.json()) as { readonly id: string }).id
    })
    await open(`/chats/${id}`)
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Say many words')
    await page.keyboard.press('Enter')
    await page.getByText('word5', { exact: false }).first().waitFor()
    await service.kill()
    await field.fill('And again')
    await page.keyboard.press('Enter')
    await page.locator('.turn.pending').waitFor()
    const port = new URL(service.url).port
    service = await startServiceProcess({ environment: { ...environment, SERVICE_SERVER_PORT: port }, folder: service.folder })
    await page.locator('.turn.pending').waitFor({ state: 'detached' })
    await page.locator('.turn.agent').nth(1).getByText('word59').waitFor()
    await page.locator('.chat > .bar .m-run').waitFor({ state: 'detached' })
    const said = await page.locator('.turn.you .chat-said').allInnerTexts()
    expect(said).to.deep.equal(['Say many words', 'And again'])
    for (const answer of await page.locator('.turn.agent').all()) {
      const found = (await answer.locator('.prose').allInnerTexts()).join(' ').match(/word\d+/g)
      expect(found).to.deep.equal(words)
    }
    await close()
  })
})
