import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type HaltingUpstream, startHaltingUpstream } from '../service/support/halting-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type ModelUpstream, startModelUpstream } from './model-upstream.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const bob = { username: 'bob', password: 'a long enough password' }

const configuration = (slow: string, house: string): string =>
  JSON.stringify({
    providers: {
      slow: { provider: 'slow', adapter: 'adapter_alpha', base_url: slow, api_key: 'sk-any' },
      house: { provider: 'house', adapter: 'adapter_alpha', base_url: house, api_key: 'sk-right' },
    },
    models: { primary: { provider: 'slow', model: 'slow-model', api: 'completions' } },
  })

/** Notes every banner that the page shows from now on, and whether the answer ever gets shorter. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(`
    window.seen = { banners: [], shrank: false, length: 0 }
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.banner'))
        if (!seen.banners.includes(textContent)) seen.banners.push(textContent)
      const length = document.querySelector('.turn.agent .prose')?.textContent.length ?? 0
      seen.shrank ||= length < seen.length
      seen.length = length
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  `)

describe('a model that was saved', function () {
  this.timeout(120_000)
  let service: ServiceProcess
  let slow: HaltingUpstream
  let house: ModelUpstream
  before(async () => {
    slow = await startHaltingUpstream()
    house = await startModelUpstream()
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-applied-'))
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data', 'config.yaml'), configuration(slow.url, house.url))
    service = await startServiceProcess({ folder })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
    await slow.close()
    await house.close()
  })

  it('is offered at once in an open chat, where an answer goes on and a draft stays', async () => {
    const admin = await openPage(service, { credentials: ada, confirmed: true, at: 'none' })
    const person = await openPage(service, { credentials: bob })
    const { page } = person
    const id = await page.evaluate(async () => {
      const answer = await fetch('/api/chats', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      return ((await answer.json()) as { readonly id: string }).id
    })
    await person.open(`/chats/${id}`)
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Write')
    await page.keyboard.press('Enter')
    await page.getByText('39 ·', { exact: false }).first().waitFor()
    await field.fill('What I was about to say')
    await watch(page)

    await admin.open('/admin/models')
    await admin.page.getByRole('button', { name: 'Add a model' }).click()
    const dialog = admin.page.getByRole('dialog', { name: 'Add a model' })
    await dialog.getByLabel('Name', { exact: true }).fill('deep')
    await dialog.getByLabel('Provider', { exact: true }).selectOption('house')
    await dialog.locator('option', { hasText: 'house-large' }).waitFor({ state: 'attached' })
    await dialog.getByLabel('Model', { exact: true }).selectOption('house-large')
    await dialog.getByRole('button', { name: 'Check and save' }).click()
    await admin.page.getByText('Applied. The service runs with the saved changes.').first().waitFor({ timeout: 60_000 })

    await page.getByText('The service is applying changes, one moment.').first().waitFor({ state: 'attached' })
    slow.goOn()
    await page.getByText('119 ·', { exact: false }).first().waitFor()
    await page.locator('.chat > .bar .m-run').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Model:/ }).click()
    await page.getByRole('option', { name: 'house-large' }).first().waitFor()
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).to.equal('What I was about to say')
    const { banners, shrank } = (await page.evaluate('seen')) as { readonly banners: readonly string[]; readonly shrank: boolean }
    expect(banners).to.deep.equal(['The service is applying changes, one moment.'])
    expect(shrank).to.equal(false)
    const text = (await page.locator('.turn.agent .prose').allInnerTexts()).join(' ')
    expect(text.match(/\d+ ·/g)).to.deep.equal(Array.from({ length: 120 }, (_, index) => `${index} ·`))
    expect(person.complaints).to.deep.equal([])
    await admin.close()
    await person.close()
  })
})
