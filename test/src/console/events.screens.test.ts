import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Makes a chat and names it, as another program of the person would. */
async function makeChat({ page }: ConsolePage, title: string): Promise<void> {
  const statuses = await page.evaluate(
    async ({ title }) => {
      const send = (method: string, path: string, body: object) =>
        fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      const made = await send('POST', '/api/chats', {})
      const { id } = (await made.json()) as { readonly id: string }
      return [made.status, (await send('PATCH', `/api/chats/${id}`, { title })).status]
    },
    { title },
  )
  expect(statuses).to.deep.equal([201, 200])
}

describe('the events of the console', function () {
  this.timeout(90_000)
  let folder: string
  let kernel: TestKernel
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-console-'))
    kernel = await createTestKernel({ folder })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
    await rm(folder, { recursive: true })
  })

  it('come over one connection for all tabs, and another tab continues when the first is closed', async () => {
    const opened = await openPage(kernel, { credentials: ada })
    const { page, context } = opened
    const streams: string[] = []
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams.push(request.headers()['last-event-id'] ?? 'from now on')
    })
    const second = await context.newPage()
    await second.goto('/')
    await second.getByText('No chats yet').waitFor()
    await makeChat(opened, 'Made beside both tabs')
    await page.getByText('Made beside both tabs').first().waitFor()
    await second.getByText('Made beside both tabs').first().waitFor()
    expect(streams).to.deep.equal([])
    const successor = context.waitForEvent('request', (request) => request.url().endsWith('/api/events'))
    await page.close()
    expect((await successor).headers()['last-event-id']).to.match(/^\d+$/)
    await makeChat({ ...opened, page: second }, 'Made for the one that stayed')
    await second.getByText('Made for the one that stayed').first().waitFor()
    await opened.close()
  })

  it('go on after the service has restarted, and nothing is lost', async () => {
    const opened = await openPage(kernel, { credentials: ada, at: 'none' })
    const { page } = opened
    await opened.open('/')
    await makeChat(opened, 'Made before the restart')
    await page.getByText('Made before the restart').first().waitFor()
    const { port } = new URL(kernel.url)
    await kernel.stop()
    const banner = page.locator('.banner', { hasText: 'Reconnecting, nothing is lost.' })
    await banner.waitFor()
    expect(await opened.inspect('reconnecting')).to.deep.equal([])
    kernel = await createTestKernel({ folder, environment: { SERVICE_SERVER_PORT: port } })
    await banner.waitFor({ state: 'detached', timeout: 40_000 })
    await makeChat(opened, 'Made after the restart')
    await page.getByText('Made after the restart').first().waitFor()
    await opened.close()
  })

  it('are not needed to see the console offline, and no answer of the API is kept', async () => {
    const opened = await openPage(kernel, { credentials: ada, at: 'none' })
    const { page, context } = opened
    await opened.open('/')
    await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
    await opened.open('/')
    await context.setOffline(true)
    await page.goto('/components')
    await page.getByText('The service does not answer.').waitFor()
    const kept = String(
      await page.evaluate(
        "caches.open('console-files').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname).join(' '))",
      ),
    )
    expect(kept)
      .to.contain('/assets/index-')
      .and.not.match(/(^| )\/api\//)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    await opened.close()
  })
})
