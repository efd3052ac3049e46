import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const missing = 'A part of the console could not be loaded'
type Tab = ConsolePage['page']

describe('features that come and go while the console is open', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let person: Person
  let stream: EventStream
  let opened: ConsolePage
  /** Where plugins are switched, and one that shows what they bring. */
  let admin: Tab
  let other: Tab
  /** Of both tabs. */
  const complaints: string[] = []

  before(async () => {
    setScript({ answer: () => says('Three invoices.') })
    agents = await startAgentsKernel()
    person = await agents.person('ada')
    stream = await person.stream()
    opened = await openPage(agents.kernel, { credentials: ada, confirmed: true, at: 'none' })
    admin = opened.page
    other = await opened.context.newPage()
    for (const page of [admin, other]) {
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('load', () => loads.set(page, (loads.get(page) ?? 0) + 1))
    }
  })
  after(async () => {
    stream?.close()
    await opened?.close()
    await closeBrowser()
    await agents?.close()
  })
  afterEach(() => expect(complaints).to.deep.equal([]))

  const loads = new Map<Tab, number>()
  const show = async (page: Tab, target: string, heading: string): Promise<void> => {
    await page.goto(target)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const entry = (page: Tab, name: string) => page.locator('nav.side').getByRole('link', { name, exact: true })
  /** Its name has the number too. */
  const bellOf = (page: Tab) => page.locator('.side .nav', { hasText: 'Notifications' })
  const switchPlugin = async (id: string, state: 'Running' | 'Disabled'): Promise<void> => {
    const row = admin.locator(`[data-plugin="${id}"]`)
    await row.getByRole('switch').click()
    if (state === 'Disabled') {
      const question = admin.getByRole('dialog').getByRole('button', { name: `Disable ${id}` })
      await question
        .or(row.getByText('Disabled', { exact: true }))
        .first()
        .waitFor()
      if (await question.isVisible()) await question.click()
    }
    await row.getByText(state, { exact: true }).waitFor()
  }
  /** The lines that the palette offers for a word, once they stand. */
  const paletteLines = async (page: Tab, word: string): Promise<readonly string[]> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(word)
    await page.getByRole('option').or(page.getByText('No results')).first().waitFor()
    const lines = await page.getByRole('option').allInnerTexts()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    return lines.map((line) => line.trim())
  }
  /** Runs a task to its end, with or without a notification of it. */
  const runTask = async (title: string): Promise<void> => {
    const { status, body } = await person.request('POST', '/api/tasks', { title, instruction: 'Count the invoices.', max_retries: 0 })
    expect(status, JSON.stringify(body)).to.equal(201)
    const path = `/api/tasks/${String(body['id'])}`
    await eventually(async () => expect((await person.request('GET', path)).body['status']).to.equal('completed'))
  }

  it('take their entry, their page and their lines of the palette from all tabs at once, and bring them back', async () => {
    await show(other, '/tasks', 'Tasks')
    await show(admin, '/admin/plugins', 'Plugins')
    // Outside of administration, where the main places are in the navigation.
    const third = await opened.context.newPage()
    await show(third, '/files', 'Files')
    for (const page of [other, third]) await entry(page, 'Tasks').waitFor()
    expect(await paletteLines(third, 'Tasks')).to.include('Tasks')
    loads.clear()

    await switchPlugin('feature-tasks', 'Disabled')
    await other.getByText('There is nothing at /tasks.').waitFor()
    for (const page of [other, third]) await entry(page, 'Tasks').waitFor({ state: 'detached' })
    for (const page of [admin, other, third]) expect(await paletteLines(page, 'Tasks')).to.not.include('Tasks')
    expect(await third.getByRole('heading', { level: 1, name: 'Files' }).isVisible()).to.equal(true)

    await switchPlugin('feature-tasks', 'Running')
    await other.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    for (const page of [other, third]) await entry(page, 'Tasks').waitFor()
    expect(await paletteLines(third, 'Tasks')).to.include('Tasks')
    expect([...loads.values()], 'nothing was loaded again').to.deep.equal([])
    await third.close()
  })

  it('have what they show beside every screen no longer, and once after they came back', async () => {
    await show(other, '/files', 'Files')
    await runTask('Before')
    const bell = bellOf(other)
    const toasts = (title: string) => other.locator('.toast', { hasText: title })
    await bell.locator('.count', { hasText: '1' }).waitFor()
    await toasts('Before').waitFor()
    loads.clear()

    await switchPlugin('feature-notifications', 'Disabled')
    await bell.waitFor({ state: 'detached' })
    await runTask('Meanwhile')
    expect(await toasts('Meanwhile').count()).to.equal(0)

    await switchPlugin('feature-notifications', 'Running')
    await bell.locator('.count', { hasText: '1' }).waitFor()
    await runTask('After')
    await bell.locator('.count', { hasText: '2' }).waitFor()
    await toasts('After').first().waitFor()
    expect(await toasts('After').count()).to.equal(1)
    expect(await bell.locator('.count').count()).to.equal(1)
    expect([...loads.values()], 'nothing was loaded again').to.deep.equal([])
  })

  it('are missed with a word where a module or the list of them cannot be loaded', async () => {
    const { page, context, close } = await openPage(agents.kernel, { credentials: ada, at: 'none' })
    await context.route(/\/assets\/plugins\/feature-notifications\/notifications\.start-.*\.js/, (route) => route.fulfill({ status: 404 }))
    await show(page, '/files', 'Files')
    await page.locator('#main').getByText(missing).waitFor()
    await entry(page, 'Tasks').waitFor()
    await context.unrouteAll()
    await show(page, '/files', 'Files')
    await bellOf(page).locator('.count').waitFor()
    expect(await page.locator('#main').getByText(missing).count()).to.equal(0)

    // The list is read again when the next plugin goes, and the word goes with the failure.
    await context.route('**/api/console/panels*', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }))
    await switchPlugin('feature-prompts', 'Disabled')
    await page.locator('#main').getByText(missing).waitFor()
    await entry(page, 'Prompts').waitFor()
    await context.unrouteAll()
    await switchPlugin('feature-prompts', 'Running')
    await page.locator('#main').getByText(missing).waitFor({ state: 'detached' })
    await entry(page, 'Prompts').waitFor()
    await close()
  })
})
