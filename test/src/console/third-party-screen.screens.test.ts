import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type Api, confirm, signUp } from '../support/api.js'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'
import { type InstalledExample, installExample } from './support/installed-example.js'
import { choose, enter, focusedName, tabTo } from './support/keyboard.js'

const password = 'a long enough password'
const place = '/panels/panel-tally'
const counters = '/api/plugins/panel-tally/counters'

/** What a person reads and hears. */
const languages = [
  {
    locale: 'en-GB',
    username: 'grace',
    title: 'Tally',
    word: 'counter',
    empty: 'Nothing is counted yet',
    add: 'Count something',
    name: 'Name',
    noName: 'must not be empty',
    taken: 'is the name of another counter',
    countUp: 'Count one more: Coffee',
    menu: 'Actions for “Coffee”',
    renamed: 'Actions for “Espresso”',
    question: 'Delete “Espresso”?',
    delete: 'Delete Espresso',
    two: '2 things are counted',
    one: '1 thing is counted',
  },
  {
    locale: 'de-DE',
    username: 'greta',
    title: 'Strichliste',
    word: 'zähler',
    empty: 'Noch wird nichts gezählt',
    add: 'Etwas zählen',
    name: 'Name',
    noName: 'darf nicht leer sein',
    taken: 'ist schon der Name eines anderen Zählers',
    countUp: 'Eins weiterzählen: Coffee',
    menu: 'Aktionen für „Coffee“',
    renamed: 'Aktionen für „Espresso“',
    question: '„Espresso“ löschen?',
    delete: 'Espresso löschen',
    two: '2 Sachen werden gezählt',
    one: '1 Sache wird gezählt',
  },
] as const
type Words = (typeof languages)[number]

const rows = (page: Page) => page.locator('.tally-row')
const linkOf = (page: Page, title: string) => page.locator('nav.side').getByRole('link', { name: title })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** What the palette offers for a text, once it has looked. */
async function offered(page: Page, text: string, wanted: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  await page.getByRole('option', { name: wanted }).waitFor()
}

describe('the screen of a third party in the console', function () {
  this.timeout(180_000)
  let installed: InstalledExample
  let ada: Api
  before(async () => {
    installed = await installExample('panel-tally')
    ada = await signUp(installed.service.url, 'ada', password)
    await confirm(ada, password)
  })
  after(async () => {
    await closeBrowser()
    await installed?.close()
  })

  const openFor = ({ username, locale }: { readonly username: string; readonly locale: string }): Promise<ConsolePage> =>
    openPage(installed.service, { credentials: { username, password }, locale })

  /** A person who counts tea. */
  async function openForDrinker(username: string): Promise<ConsolePage> {
    const person = await signUp(installed.service.url, username, password)
    expect((await person.request('POST', counters, { name: 'Tea' })).status).to.equal(201)
    return openFor({ username, locale: 'en-GB' })
  }

  it('asks the operator for the pages of the console, with its reason', () => {
    expect(installed.asked)
      .to.contain('console: runs code in the pages of the console')
      .and.contain('Shows what you count, and lets you count from the command palette.')
  })

  for (const words of languages)
    it(`is used with the keyboard alone: ${words.locale}`, async () => {
      const opened = await openFor(words)
      const { page } = opened
      await linkOf(page, words.title).waitFor()
      await choose(page, words.title)
      await heading(page, words.title).waitFor()
      await page.getByRole('heading', { name: words.empty }).waitFor()
      expect(await opened.inspect(`third-party-empty-${words.locale}`)).to.deep.equal([])
      await add(opened, words)
      await countAndRename(opened, words)
      await useThePalette(opened, words)
      await remove(opened, words)
      expect(opened.complaints).to.deep.equal([refusalReport(422, 'Unprocessable Entity'), refusalReport(409, 'Conflict')])
      await opened.close()
    })

  async function add({ page, inspect }: ConsolePage, words: Words): Promise<void> {
    await choose(page, words.add)
    const dialog = page.getByRole('dialog', { name: words.add })
    const field = dialog.getByRole('textbox', { name: words.name })
    await dialog.waitFor()
    expect(await focusedName(page)).to.equal(words.name)
    await page.keyboard.press('Enter')
    await dialog.getByText(words.noName).waitFor()
    expect(await field.getAttribute('aria-invalid')).to.equal('true')
    expect(await inspect(`third-party-problem-${words.locale}`)).to.deep.equal([])
    expect(await focusedName(page)).to.equal(words.name)
    await enter(page, 'Coffee')
    await dialog.waitFor({ state: 'detached' })
    expect(await focusedName(page)).to.equal(words.add)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await enter(page, 'COFFEE')
    await dialog.getByText(words.taken).waitFor()
    expect(await field.inputValue()).to.equal('COFFEE')
    await enter(page, 'Tea')
    await dialog.waitFor({ state: 'detached' })
    expect(await rows(page).locator('.key').allInnerTexts()).to.deep.equal(['Coffee', 'Tea'])
    await linkOf(page, words.title).getByText(words.two).waitFor()
  }

  async function countAndRename({ page, inspect }: ConsolePage, words: Words): Promise<void> {
    await tabTo(page, words.countUp)
    for (const count of ['1', '2']) {
      await page.keyboard.press('Enter')
      await rows(page).first().getByText(count, { exact: true }).waitFor()
    }
    expect(await focusedName(page), 'the focus stays').to.equal(words.countUp)
    await choose(page, words.menu)
    await page.getByRole('menu', { name: words.menu }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await enter(page, 'Espresso')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await rows(page).locator('.key').allInnerTexts()).to.deep.equal(['Espresso', 'Tea'])
    expect(await focusedName(page), 'the focus returns').to.equal(words.renamed)
    expect(await inspect(`third-party-list-${words.locale}`)).to.deep.equal([])
  }

  async function useThePalette({ page, inspect }: ConsolePage, words: Words): Promise<void> {
    await offered(page, 'espr', 'Espresso')
    expect(await inspect(`third-party-palette-${words.locale}`)).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.locator('.toast').getByText('Espresso: 3').waitFor()
    await rows(page).first().getByText('3', { exact: true }).waitFor()
    await choose(page, /^Home$|^Start(seite)?$/)
    await heading(page, words.title).waitFor({ state: 'detached' })
    await offered(page, words.word, words.title)
    await page.keyboard.press('Enter')
    await heading(page, words.title).waitFor()
  }

  async function remove({ page, inspect }: ConsolePage, words: Words): Promise<void> {
    await choose(page, words.renamed)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: words.question })
    await dialog.waitFor()
    expect(await inspect(`third-party-delete-${words.locale}`)).to.deep.equal([])
    await choose(page, words.delete)
    await dialog.waitFor({ state: 'detached' })
    await linkOf(page, words.title).getByText(words.one).waitFor()
    expect(await rows(page).locator('.key').allInnerTexts()).to.deep.equal(['Tea'])
  }

  it('shows that it is loading, and why it has failed, with a way to try again', async () => {
    const { page, inspect, close } = await openForDrinker('heidi')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(`**${counters}?*`, async (route) => {
      await held
      await route.fulfill({ status: 503, json: { type: 'about:blank', title: '', status: 503, code: 'busy', detail: 'Too much to do.' } })
    })
    await page.goto(place)
    await page.locator('#main .skel').waitFor()
    expect(await inspect('third-party-loading')).to.deep.equal([])
    answer()
    await page.getByRole('alert').getByText('Too much to do.').waitFor()
    expect(await inspect('third-party-failed')).to.deep.equal([])
    await page.unroute(`**${counters}?*`)
    await choose(page, 'Try again')
    await rows(page).getByText('Tea').waitFor()
    await close()
  })

  it('is gone from open pages at once when its plugin is disabled, and is back when it is enabled', async () => {
    const words = languages[0]
    const { page, inspect, complaints, close } = await openForDrinker('ivy')
    await choose(page, /^Tally/)
    await rows(page).getByText('Tea').waitFor()
    await page.evaluate("window.pageOfTheTest = 'the same'")
    let readings = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/console/panels')) readings += 1
    })

    expect((await ada.request('POST', '/api/admin/plugins/panel-tally/disable')).status).to.equal(200)
    await heading(page, 'There is no such panel').waitFor()
    expect(await linkOf(page, words.title).count()).to.equal(0)
    expect(await inspect('third-party-gone')).to.deep.equal([])
    for (const text of ['Tea', words.word]) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await page.getByText(`No results for “${text}”.`).waitFor()
      await page.keyboard.press('Escape')
    }
    expect(readings, 'the list of panels is read when it has changed, not again and again').to.be.within(1, 9)

    expect((await ada.request('POST', '/api/admin/plugins/panel-tally/enable')).status).to.equal(200)
    await heading(page, words.title).waitFor()
    await rows(page).getByText('Tea').waitFor()
    await linkOf(page, words.title).getByText(words.one).waitFor()
    expect(await inspect('third-party-back')).to.deep.equal([])
    await offered(page, 'tea', 'Tea')
    await page.keyboard.press('Enter')
    await rows(page).getByText('1', { exact: true }).waitFor()
    expect(await page.evaluate('window.pageOfTheTest')).to.equal('the same')
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('shows people what is theirs alone', async () => {
    const listed = (await ada.request('GET', counters)).body
    expect(listed['items']).to.deep.equal([])
  })
})
