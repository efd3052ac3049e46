import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import type { Route } from 'playwright-core'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const listOfPanels = /\/api\/console\/panels/

interface PanelList {
  readonly items: readonly { readonly content: { readonly kind: string; readonly kit?: readonly string[] } }[]
}

describe('the first load of the console', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  let opened: ConsolePage
  before(async () => {
    kernel = await createTestKernel()
  })
  beforeEach(async () => {
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
  })
  afterEach(() => opened.close())
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  /** Keeps the list of panels on its way until the result is called. */
  const holdPanels = async (): Promise<() => void> => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await opened.context.route(listOfPanels, async (route) => {
      await released
      await route.continue()
    })
    return release
  }

  it('shows the frame while the list of screens is on its way, and fills it without moving it', async () => {
    const release = await holdPanels()
    const { page } = opened
    await page.goto('/')
    const side = page.locator('nav.side')
    const fixed = [
      side.getByRole('button', { name: 'New chat', exact: true }),
      side.getByRole('button', { name: /^Search or jump to/ }),
      side.getByRole('button', { name: /ada/ }),
    ]
    for (const each of fixed) await each.waitFor()
    await page.locator('main .page [class*="skel"]').first().waitFor()
    // Neither is a part of the navigation there, nor is it said that there is no such page.
    expect([await side.locator('.side-scroll a.nav').count(), await page.locator('main h1').count()]).to.deep.equal([0, 0])
    expect(await page.title()).to.equal('Agent Service')
    const places = await Promise.all(fixed.map((each) => each.boundingBox()))
    release()
    await page.locator('main h1').waitFor()
    await side.getByRole('link', { name: 'Agents', exact: true }).waitFor()
    expect(await Promise.all(fixed.map((each) => each.boundingBox()))).to.deep.equal(places)
    expect(opened.complaints).to.deep.equal([])
  })

  it('says that there is no such page only when the list has come', async () => {
    const release = await holdPanels()
    const { page } = opened
    await page.goto('/nothing-here')
    await page.locator('nav.side').getByRole('button', { name: 'New chat', exact: true }).waitFor()
    expect(await page.locator('main h1').count()).to.equal(0)
    release()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('shows screens that name parts of the kit which the console does not have, such as those of every object', async () => {
    await opened.context.route(listOfPanels, async (route: Route) => {
      const answer = await route.fetch()
      const list = (await answer.json()) as PanelList
      const items = list.items.map((panel) =>
        panel.content.kind === 'screen' ? { ...panel, content: { ...panel.content, kit: ['constructor', 'toString', 'of-later'] } } : panel,
      )
      await route.fulfill({ response: answer, json: { ...list, items } })
    })
    await opened.open('/')
    await opened.page.locator('textarea').waitFor()
    expect(opened.complaints).to.deep.equal([])
  })
})
