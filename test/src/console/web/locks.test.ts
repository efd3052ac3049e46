import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

/** As over plain http. */
const withoutLocks = "delete Navigator.prototype.locks; if ('locks' in navigator) throw new Error('The locks are still there.')"

/** Takes the lock and holds it until `release()`; `held` says whether it has it. */
const take = `
  window.held = false
  window.done = web.withLock('one', (lost) => new Promise((resolve) => {
    window.held = true
    window.release = () => { window.held = false; resolve() }
    lost.addEventListener('abort', window.release)
  }))
  undefined
`

describe('locks of the console without the Web Locks API', function () {
  this.timeout(60_000)
  let opened: ConsolePage
  let code: string
  const pages: Page[] = []
  before(async () => {
    opened = await openPage({ url: 'http://console.localhost' })
    code = await bundleWebModules(['sdk/web/core/locks.ts'])
  })
  beforeEach(async () => {
    for (let count = 0; count < 3; count += 1) {
      const page = await opened.context.newPage()
      await openWebModules(page, code)
      await page.evaluate(withoutLocks)
      pages.push(page)
    }
  })
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.close())))
  after(() => closeBrowser())

  const isHeld = (page: Page): Promise<unknown> => page.evaluate('window.held === true')
  const untilHeld = (page: Page): Promise<unknown> => page.waitForFunction('window.held === true')
  const holders = async (all: readonly Page[]): Promise<number> => (await Promise.all(all.map(isHeld))).filter(Boolean).length

  it('are held by one tab, and by another after it has let go or was closed', async () => {
    const [first, second, third] = pages as [Page, Page, Page]
    await first.evaluate(take)
    await untilHeld(first)
    await second.evaluate(take)
    // Its question has been answered when this one has been: messages keep their order.
    await third.evaluate("web.withLock('one', async () => { window.ran = true }, { onlyIfFree: true })")
    expect(await third.evaluate('window.ran'), 'ran although it was held').to.equal(undefined)
    expect(await isHeld(second)).to.equal(false)
    await first.evaluate('release()')
    await untilHeld(second)
    await third.evaluate(take)
    await second.close()
    await untilHeld(third)
    pages.splice(1, 1)
  })

  it('are given to one of several that ask at once', async () => {
    // No tab's time for answers is over before all have asked and answered: three questions, and two answers of
    // the first and one of the second.
    for (const page of pages)
      await page.evaluate(`
        const { setTimeout } = window
        window.overdue = []
        window.setTimeout = (run, ms) => (ms === 200 ? overdue.push(run) : setTimeout(run, ms))
        window.heard = []
        new BroadcastChannel('console.lock.one').addEventListener('message', ({ data }) => heard.push(data))
      `)
    // Each begins in a millisecond of its own, so that it is certain which was first.
    for (const page of pages) await page.evaluate(`${take}; for (const began = Date.now(); Date.now() === began; );`)
    for (const page of pages) await page.waitForFunction('heard.length === 6')
    for (const page of pages) await page.evaluate('for (const run of overdue.splice(0)) run()')
    expect(await Promise.all(pages.map(isHeld))).to.deep.equal([true, false, false])
  })

  it('are lost by the later of two that have one, since one was frozen', async () => {
    const [first, second, third] = pages as [Page, Page, Page]
    await first.evaluate(take)
    await untilHeld(first)
    // Frozen: it hears the question later than it is asked.
    await second.evaluate(`
      const { postMessage } = BroadcastChannel.prototype
      window.kept = []
      BroadcastChannel.prototype.postMessage = function (word) { kept.push(() => postMessage.call(this, word)) }
      window.thaw = () => { BroadcastChannel.prototype.postMessage = postMessage; for (const say of kept) say() }
    `)
    await second.evaluate(take)
    await untilHeld(second)
    expect(await holders([first, second])).to.equal(2)
    await second.evaluate('thaw()')
    await second.waitForFunction('window.held === false')
    expect(await isHeld(first)).to.equal(true)
    expect(await third.evaluate("web.withLock('two', async () => { window.other = true }).then(() => other)")).to.equal(true)
  })

  it('are waited for no longer when the signal is aborted', async () => {
    const [first, second] = pages as [Page, Page, Page]
    await first.evaluate(take)
    await untilHeld(first)
    const ended = await second.evaluate(`(async () => {
      const controller = new AbortController()
      const waiting = web.withLock('one', async () => 'ran', { signal: controller.signal })
      controller.abort(new Error('no longer'))
      return waiting.catch((error) => error.message)
    })()`)
    expect(ended).to.equal('no longer')
  })
})
