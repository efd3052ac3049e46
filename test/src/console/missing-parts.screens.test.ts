import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { Route } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { startPathProxy } from '../support/path-proxy.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { startPortal } from './support/portal.js'

/**
 * Whether the browser keeps the failure of a module under its address as long as the page lives, as the HTML standard had it
 * until 2026 (Chromium up to 150). What a screen's file imports then comes only when the page is loaded again, which happens once.
 */
async function keepsFailures({ page, context }: ConsolePage): Promise<boolean> {
  let isThere = false
  await context.route('**/assets/probe.js', async (route) => {
    const answer = isThere ? { contentType: 'text/javascript', body: 'export {}' } : { status: 404 }
    isThere = true
    await route.fulfill(answer)
  })
  const load = "import('/assets/probe.js')"
  return Boolean(await page.evaluate(`${load}.catch(() => ${load}).then(() => false, () => true)`))
}

const ada = { username: 'ada', password: 'a long enough password' }

describe('files of the console that cannot be loaded', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  /** How often the files with such names are refused. */
  let refused: Map<RegExp, number>
  let loads: number
  before(async () => {
    setScript({ answer: () => says('First **block**.\n\nThe end.') })
    agents = await startAgentsKernel()
  })
  beforeEach(async () => {
    refused = new Map()
    loads = 0
    opened = await openPage(agents.kernel, { credentials: ada })
    opened.page.on('load', () => {
      loads += 1
    })
    await opened.context.route(/\/assets\//, async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      const [key] = [...refused].find(([each, left]) => each.test(name) && left > 0) ?? []
      if (key === undefined) return route.continue()
      refused.set(key, (refused.get(key) ?? 0) - 1)
      return route.fulfill({ status: 404, contentType: 'application/json', body: '{}' })
    })
  })
  afterEach(() => opened.close())
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const go = (name: string): Promise<void> => opened.page.locator('nav.side').getByRole('link', { name, exact: true }).click()

  for (const [what, file] of [
    ['its script', /^agents-.*\.js$/],
    ['its style', /^agents-.*\.css$/],
    ['what its script imports', /^new-agent-tools-.*\.js$/],
  ] as const)
    it(`are asked for again where a screen failed for a moment: ${what}`, async () => {
      const { page, complaints } = opened
      const isKept = what === 'what its script imports' && (await keepsFailures(opened))
      // Asked for ahead, by the screen, and once more.
      refused.set(file, isKept || what === 'its style' ? 1 : 3)
      await go('Agents')
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      expect(refused.get(file), 'nothing was refused').to.equal(0)
      const styles =
        "[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => sheet === null || sheet.cssRules.length === 0).length"
      expect(await page.evaluate(styles), 'styles without rules').to.equal(0)
      await eventually(() => expect(loads).to.equal(isKept ? 1 : 0))
      expect(complaints.filter((text) => text.startsWith('uncaught'))).to.deep.equal([])
    })

  it('loads the page again once, at the intended address, when an update has replaced the file; drafts stay', async () => {
    const { page } = opened
    await page.getByRole('textbox').first().fill('a draft')
    refused.set(/^agents-.*\.js$/, Number.POSITIVE_INFINITY)
    const again = page.waitForEvent('load')
    await go('Agents')
    await again
    expect(new URL(page.url()).pathname).to.equal('/agents')
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(loads, 'no loop').to.equal(1)
    await go('Memory')
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
    await go('Agents')
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(await opened.inspect('missing-screen')).to.deep.equal([])
    refused.clear()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    expect(loads).to.equal(1)
    await page.goto('/')
    expect(await page.getByRole('textbox').first().inputValue()).to.equal('a draft')
  })

  it('loads the page again before a screen is opened that another version of the console has', async () => {
    const { page, context } = opened
    const compared = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/' && !answer.request().isNavigationRequest())
    const updated = async (route: Route): Promise<void> => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-updated.js'),
      })
    }
    await context.route(
      (address) => address.pathname === '/',
      (route) => (route.request().isNavigationRequest() ? route.continue() : updated(route)),
    )
    await context.setOffline(true)
    await context.setOffline(false)
    await compared
    expect(loads, 'what is shown stays').to.equal(0)
    const again = page.waitForEvent('load')
    await go('Agents')
    await again
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    expect(loads).to.equal(1)
  })

  it('says so while the service is away, keeps the page, and goes on when the network is back', async () => {
    const { page, context } = opened
    const isKept = await keepsFailures(opened)
    await page.evaluate('caches.keys().then((all) => Promise.all(all.map((each) => caches.delete(each))))')
    await context.setOffline(true)
    await go('Agents')
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(loads).to.equal(0)
    await context.setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await eventually(() => expect(loads).to.equal(isKept ? 1 : 0))
  })

  it('says that it does not know which screens there are, and shows them once it does', async () => {
    const { page, context } = opened
    const list = '**/api/console/panels?*'
    await context.route(list, (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }))
    await page.goto('/agents')
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(await opened.inspect('missing-panels')).to.deep.equal([])
    await context.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.locator('.banner').waitFor({ state: 'detached' })
    expect(loads, 'that of the test').to.equal(1)
  })

  it('keeps no page of a network that wants a sign-in as a file of the console', async () => {
    const portal = await startPortal()
    const proxy = await startPathProxy()
    proxy.serve('/assets', { url: agents.kernel.url, removesPath: false })
    proxy.serve('', { url: agents.kernel.url, removesPath: true })
    const { page, close } = await openPage({ url: proxy.origin }, { credentials: ada })
    await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
    await page.goto('/')
    await page.locator('nav.side').waitFor({ state: 'attached' })
    proxy.serve('/assets', { url: portal.url, removesPath: false })
    await page.locator('nav.side').getByRole('link', { name: 'Skills', exact: true }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    proxy.serve('/assets', { url: agents.kernel.url, removesPath: false })
    // The page was loaded again once already, so that it is left to the person where failures are kept.
    await page.getByRole('button', { name: (await keepsFailures(opened)) ? 'Load the page again' : 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor()
    await page.goto('/skills')
    await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor()
    const names =
      "caches.open('console-files').then((cache) => cache.keys()).then((all) => all.filter(({ url }) => url.includes('?')).length)"
    expect(await page.evaluate(names), 'files under the addresses of further attempts').to.equal(0)
    await close()
    await proxy.close()
    await portal.stop()
  })

  it('come from what is kept; where their address stays, only if the newest do not come', async () => {
    const { page, context, close } = await openPage(agents.kernel, { credentials: ada })
    await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
    await page.reload()
    await page.locator('nav.side').waitFor({ state: 'attached' })
    const old = "new Response('old', { headers: { 'content-type': 'text/javascript' } })"
    await page.evaluate(`caches.open('console-files').then((cache) => cache.put('/assets/kit/words.js', ${old}))`)
    const read = "fetch('/assets/kit/words.js').then((answer) => answer.text())"
    const newest = await page.evaluate(read)
    expect(newest).to.contain('export')
    await context.setOffline(true)
    expect(await page.evaluate(read)).to.equal(newest)
    await close()
  })

  it('formats an answer whose formatter failed at first', async () => {
    const { page } = opened
    refused.set(/^markdown-.*\.js$/, (await keepsFailures(opened)) ? 1 : 3)
    await openChat(opened)
    await ask(opened, 'Tell me')
    await page.locator('.prose strong', { hasText: 'block' }).waitFor()
  })

  it('keeps the frame when a screen throws: others go on, and it can be tried again', async () => {
    const { page, complaints } = opened
    await opened.context.route(/\/assets\/plugins\/feature-agents\/agents-.*\.js/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "export default () => { throw new Error('a broken screen') }" }),
    )
    await go('Agents')
    await page.getByRole('heading', { name: 'This page has failed' }).waitFor()
    await page.getByText('a broken screen').waitFor()
    expect(complaints).to.deep.equal(['uncaught: a broken screen'])
    await go('Memory')
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
  })
})
