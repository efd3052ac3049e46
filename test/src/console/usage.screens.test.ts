import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const model = (name: string, output: number) => ({ provider: 'demo', model: name, api: 'scripted', price: { input: 20_000, output } })

/** Has a model answer, as another device would. */
const ask = (page: ConsolePage['page'], group: string): Promise<number> =>
  page.evaluate(async (chosen) => {
    const post = async (path: string, body: unknown): Promise<Response> =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const chat = (await (await post('/api/chats', { model: chosen })).json()) as { readonly id: string }
    return (await post(`/api/chats/${chat.id}/messages`, { content: 'How much is this?' })).status
  }, group)

describe('usage and cost in the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({
      plugins: [fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({ primary: model('scripted', 90_000) }),
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('is empty at first, grows while it is shown, and has a chart whose labels fit', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/usage')
    await page.getByText('No usage in this period').waitFor()
    expect(await inspect('usage-empty')).to.deep.equal([])
    expect(await ask(page, 'primary')).to.be.lessThan(300)
    await page.locator('.usage-fill-1').first().waitFor()
    expect(await inspect('usage')).to.deep.equal([])

    // Days before the first use are left out, and no label is cut at any width.
    expect(await page.locator('.usage-hit').count()).to.equal(7)
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const cut = await page.locator('.usage-chart text').evaluateAll((labels) =>
        labels.flatMap((label) => {
          const [own, chart] = [label.getBoundingClientRect(), label.closest('svg')?.getBoundingClientRect()]
          return chart && own.left >= chart.left - 1 && own.right <= chart.right + 1 ? [] : [label.textContent]
        }),
      )
      expect(cut, `cut at ${width} px`).to.deep.equal([])
    }
    expect(complaints).to.deep.equal([])
    await close()
  })
})
