import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const example = fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))

describe('the trial of an agent in the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({
      plugins: [example],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'scripted', api: 'scripted' } }),
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('answers beside the form, says which version does, is in no list, and goes when the person leaves', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, locale: 'de-DE' })
    const agent = (await page.evaluate("fetch('/api/agents').then(async (answer) => (await answer.json()).items[0])")) as {
      readonly id: string
    }
    await open(`/agents/${agent.id}`)
    const trial = page.getByRole('region', { name: 'Agent ausprobieren' })
    await trial.getByText('Version 1 antwortet.').waitFor()
    const created = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/chats'))
    await trial.getByLabel('Nachricht zum Ausprobieren').fill('Hallo, wer bist du?')
    await page.keyboard.press('Enter')
    const chat = (await (await created).json()) as { readonly id: string; readonly hidden: boolean }
    expect(chat.hidden).to.equal(true)
    await trial.locator('.turn.agent').waitFor()
    await trial.getByText('Läuft').waitFor({ state: 'detached' })
    expect(await page.locator('nav.side a[href^="/chats/"]').count()).to.equal(0)
    await page.getByLabel('Beschreibung').fill('Beantwortet Fragen.')
    await trial.getByText('Version 1 antwortet. Speichere, um deine Änderungen zu testen.').waitFor()
    expect(await inspect('agent-trial')).to.deep.equal([])
    await trial.getByRole('button', { name: 'Speichern und testen' }).click()
    await trial.getByText('Version 2 antwortet.').waitFor()
    expect(await trial.locator('.turn.agent').count()).to.equal(1)
    const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE' && answer.url().includes(chat.id))
    await page.getByRole('link', { name: 'Start', exact: true }).click()
    expect((await removed).status()).to.equal(204)
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('goes at the next visit when its deletion failed, and stays while another tab has it', async () => {
    const { page, context, open, close } = await openPage(kernel, { credentials: ada })
    const statusOf = async (id: string): Promise<number> =>
      Number(await page.evaluate(`fetch('/api/chats/${id}').then(({ status }) => status)`))
    const agent = (await page.evaluate("fetch('/api/agents').then(async (answer) => (await answer.json()).items[0])")) as {
      readonly id: string
    }
    const ask = async (of: typeof page): Promise<string> => {
      const trial = of.getByRole('region', { name: 'Try the agent' })
      const created = of.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/chats'))
      await trial.getByLabel('Message to try it with').fill('Hello')
      await trial.getByRole('button', { name: 'Send', exact: true }).click()
      await trial.locator('.turn.agent').waitFor()
      return ((await (await created).json()) as { readonly id: string }).id
    }
    await open(`/agents/${agent.id}`)
    // The browser keeps such a request out of what a test can intercept.
    await page.evaluate(`
      const send = window.fetch
      window.fetch = (address, init) => (init?.method === 'DELETE' ? Promise.reject(new TypeError('offline')) : send(address, init))
    `)
    const left = await ask(page)
    await page.locator('nav.side').getByRole('link', { name: 'Chats', exact: true }).click()
    await page.getByRole('heading', { name: 'Chats', level: 1 }).waitFor()
    expect(await statusOf(left)).to.equal(200)
    const other = await context.newPage()
    await other.goto(`/agents/${agent.id}`)
    await other.waitForFunction(`fetch('/api/chats/${left}').then(({ status }) => status === 404)`)
    const inUse = await ask(other)
    await open(`/agents/${agent.id}`)
    await page.getByRole('region', { name: 'Try the agent' }).waitFor()
    expect([await statusOf(left), await statusOf(inUse)]).to.deep.equal([404, 200])
    await close()
  })

  it('is a tab on a phone', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, look: { theme: 'light', size: 'phone' } })
    const agent = (await page.evaluate("fetch('/api/agents').then(async (answer) => (await answer.json()).items[0])")) as {
      readonly id: string
    }
    await open(`/agents/${agent.id}`)
    await page.getByRole('tab', { name: 'Try the agent' }).click()
    const trial = page.getByRole('region', { name: 'Try the agent' })
    await trial.getByLabel('Message to try it with').fill('Hello')
    await trial.getByRole('button', { name: 'Send', exact: true }).click()
    await trial.locator('.turn.agent').waitFor()
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('tab', { name: 'Try the agent' }).click()
    expect(await trial.locator('.turn.agent').count()).to.equal(1)
    await trial.getByRole('button', { name: 'Start over' }).click()
    await trial.getByText('Write something.').waitFor()
    expect(await inspect('agent-trial-tab')).to.deep.equal([])
    expect(complaints.filter((text) => !/status of 409/.test(text))).to.deep.equal([])
    await close()
  })
})
