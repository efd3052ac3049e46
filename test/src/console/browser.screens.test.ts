import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type SearchEngine, startSearchEngine } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { Person } from '../agents/support/agents-kernel.js'
import { type BrowsingKernel, startBrowsingKernel } from '../web/support/browsing-kernel.js'
import { walk } from '../web/support/stepping-agent.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const shop = `<!doctype html><title>Tea shop &lt;b&gt;&quot;Leaf&quot;</title><body style="background: #dfe8d8"><h1>Tea shop</h1><p>Two cups, a pot.</p>`

/** Of the picture that the browser has decoded. */
const widthOfPicture = `(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('.browser-picture img'))`

describe('the browser and web search in the console', function () {
  this.timeout(120_000)

  describe('with a browser service', () => {
    let service: BrowsingKernel
    let engine: SearchEngine
    let person: Person
    before(async () => {
      engine = await startSearchEngine()
      engine.reply(() => ({
        body: JSON.stringify({ results: [{ url: 'https://ulm.example/', title: 'Ulm', content: 'A city on the Danube.' }] }),
      }))
      service = await startBrowsingKernel(
        (request, response) => {
          response.setHeader('content-type', 'text/html')
          response.setHeader('set-cookie', 'seen=yes; Max-Age=3600; Path=/')
          response.end(request.url === '/' ? shop : '')
        },
        { SERVICE_SEARCH_SELFHOSTED_BASE_URL: engine.baseUrl },
      )
      person = await service.person('ada')
      await person.request('PATCH', `/api/agents/${person.agentId}`, { tools: ['browser_navigate'], approval: { '*': 'never' } })
    })
    after(async () => {
      await closeBrowser()
      await service?.close()
      await engine?.close()
    })
    const visit = () => walk(person, [() => ['browser_navigate', { url: `${service.home}/` }]], 'Refuse')

    it('shows sessions with their pictures, closes them, and forgets sign-ins', async () => {
      const { chatId } = await visit()
      const opened = await openPage(service.kernel, { credentials: ada, at: 'none' })
      const { page, open, inspect, complaints, close } = opened
      await open('/browser')
      const row = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Tea shop <b>"Leaf"' }) })
      await row.getByRole('img', { name: 'The page Tea shop' }).waitFor()
      expect(await page.evaluate(widthOfPicture)).to.be.greaterThan(300)
      await row.getByText(`${service.home}/`).waitFor()
      await row.getByText('assistant').waitFor()
      expect(await row.getByRole('link', { name: 'Open chat' }).getAttribute('href')).to.equal(`/chats/${chatId}`)
      expect(await inspect('browser')).to.deep.equal([])

      await row.getByRole('button', { name: 'Enlarge the picture' }).press('Enter')
      await page.getByRole('dialog', { name: 'Tea shop' }).getByRole('img').waitFor()
      await page.keyboard.press('Escape')

      await row.getByRole('button', { name: 'Close the session' }).press('Enter')
      const asks = page.getByRole('dialog', { name: 'Close the browser session of assistant?' })
      await asks.getByRole('button', { name: 'Close session' }).press('Enter')
      await page.getByRole('heading', { name: 'No pages open' }).waitFor()
      await page.getByText('remembers cookies and sign-ins for 1 agent').waitFor()
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Browser')
      expect((await person.request('GET', '/api/browser')).body['sessions']).to.deep.equal([])
      expect(await inspect('browser-empty')).to.deep.equal([])

      await page.getByRole('button', { name: 'Forget sign-ins' }).click()
      const forgets = page.getByRole('dialog', { name: 'Forget cookies and sign-ins?' })
      await forgets.getByLabel('Whose sign-ins').selectOption({ label: 'assistant' })
      expect(await inspect('browser-forget')).to.deep.equal([])
      await forgets.getByRole('button', { name: 'Forget sign-ins' }).press('Enter')
      await page.getByText('Cookies and sign-ins are forgotten.').first().waitFor()
      await page.getByText('remembers cookies').waitFor({ state: 'detached' })
      expect((await person.request('GET', '/api/browser')).body['profiles']).to.equal(0)
      expect(complaints).to.deep.equal([])
      await close()
    })

    it('lets an administrator try search and the browser service, and names what they answer', async () => {
      const opened = await openPage(service.kernel, { credentials: ada, at: 'none' })
      const { page, open, inspect, complaints, close } = opened
      await open('/admin/web')
      await page.getByText('Searches go to SearXNG').waitFor()
      await page.getByText('Brave Search needs the variable BRAVE_API_KEY, which is not set.').waitFor()
      await page.getByLabel('Try a search').fill('ulm')
      await page.getByLabel('Try a search').press('Enter')
      await page.getByText('1 result in').waitFor()
      await page.getByRole('list', { name: 'What was found' }).getByText('A city on the Danube.').waitFor()
      expect(engine.requests.at(-1)?.path).to.contain('q=ulm')
      await page.getByText('No sessions are open.').waitFor()
      await page.getByRole('button', { name: 'Test the browser service' }).press('Enter')
      await page.getByText('The browser service answers').waitFor()
      await page.getByText('one browser for all').waitFor()
      expect(await inspect('web-access')).to.deep.equal([])
      engine.reply(() => ({ status: 403 }))
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('The provider did not answer the search').waitFor()
      await page.getByText('search.formats').waitFor()
      expect(complaints).to.deep.equal([])
      await close()
    })
  })

  describe('without one', () => {
    let kernel: TestKernel
    before(async () => {
      kernel = await createTestKernel({ environment: { SERVICE_SEARCH_PROVIDER: 'hosted_a' } })
    })
    after(async () => {
      await closeBrowser()
      await kernel?.stop()
    })

    it('says why and what to set, in German, to administrators and to others', async () => {
      const opened = await openPage(kernel, { credentials: ada, at: 'none', locale: 'de-DE' })
      const { page, open, inspect, complaints, close } = opened
      await open('/browser')
      await page.getByRole('heading', { name: 'Agenten haben hier keinen Browser' }).waitFor()
      await page.getByText('SERVICE_BROWSER_WS_URL').waitFor()
      expect(await inspect('browser-none')).to.deep.equal([])
      await page.getByRole('link', { name: 'Suche und Browser' }).click()
      await page.getByText('Agenten können nicht im Web suchen').waitFor()
      await page.getByText('Tavily braucht die Variable TAVILY_API_KEY, die nicht gesetzt ist.').first().waitFor()
      expect(await inspect('web-access-none')).to.deep.equal([])
      await page.getByRole('link', { name: 'Einstellung öffnen' }).click()
      await page.locator('[data-path="browser.ws_url"] input').waitFor()
      expect(complaints).to.deep.equal([])
      await close()

      const other = await openPage(kernel, { credentials: { ...ada, username: 'eve' }, at: 'none' })
      await other.open('/browser')
      await other.page.getByText('An administrator has to set the address of a browser service').waitFor()
      expect(await other.page.getByRole('link', { name: 'Open the setting' }).count()).to.equal(0)
      await other.close()
    })
  })
})
