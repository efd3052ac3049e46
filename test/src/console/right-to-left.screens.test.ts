import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { artefacts, type ConsolePage, closeBrowser, openPage, widths } from './open-page.js'
import { callAs, newChat, untilQuiet, write } from './support/chat-page.js'

/** Addresses that no navigation leads to, of screens with parameters and of those before sign-in. */
const others = ['/components', '/sandbox/machine', '/sandbox/agents']

/** What reaches beyond the window, though a box that scrolls may hold more than is seen. */
const overflowing = `(() => {
  const width = document.documentElement.clientWidth
  const scrolls = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      if (getComputedStyle(each).overflowX !== 'visible') return true
    return false
  }
  const found = []
  for (const element of document.querySelectorAll('#root *')) {
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || (box.left >= -1 && box.right <= width + 1)) continue
    if (element.closest('.sr, .skip, nav.side') || scrolls(element)) continue
    found.push(element.tagName + '.' + element.className + ' ' + Math.round(box.left) + '..' + Math.round(box.right))
  }
  return found
})()`

describe('the console from right to left', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript({ answer: () => says('An answer with `code` and a list:\n\n- one\n- two\n\n```ts\nconst a = 1\n```\n') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    // No language of the console is written so yet: the direction alone is turned.
    await opened.context.addInitScript(`
      const turn = () => { if (document.documentElement && document.documentElement.dir !== 'rtl') document.documentElement.dir = 'rtl' }
      new MutationObserver(turn).observe(document, { subtree: true, attributes: true, attributeFilter: ['dir'], childList: true })
    `)
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const look = async (page: Page, name: string): Promise<readonly string[]> => {
    const problems: string[] = []
    await mkdir(artefacts, { recursive: true })
    for (const [size, viewport] of Object.entries(widths)) {
      await page.setViewportSize(viewport)
      expect(await page.evaluate('getComputedStyle(document.body).direction')).to.equal('rtl')
      await writeFile(path.join(artefacts, `rtl-${name}-${size}.png`), await page.screenshot({ animations: 'disabled' }))
      const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
      if (overflow > 0) problems.push(`${name} ${size}: scrolls sideways by ${overflow} px`)
      for (const found of (await page.evaluate(overflowing)) as readonly string[]) problems.push(`${name} ${size}: ${found}`)
    }
    await page.setViewportSize(widths.wide)
    return problems
  }

  it('keeps every screen inside the window, with the navigation at the right', async () => {
    const { page, open, complaints } = opened
    const chatId = await newChat(page)
    const { items } = await callAs<{ readonly items: readonly { readonly id: string }[] }>(page, 'GET', '/api/agents')
    await open('/')
    const side = await page.locator('nav.side').boundingBox()
    expect((side?.x ?? 0) + (side?.width ?? 0)).to.equal(widths.wide.width)
    await open('/admin/settings')
    const ofAdmin = await page
      .locator('nav.side a[href^="/"]')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
    await open('/')
    const ofNavigation = await page
      .locator('nav.side a[href^="/"]')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
    const targets = new Set([...ofNavigation, ...ofAdmin, ...others, '/profile', '/access', '/usage', `/agents/${items[0]?.id}`])
    const problems: string[] = []
    for (const target of targets) {
      await open(target)
      // The page of components shows how waiting looks.
      if (target !== '/components') await page.locator('.skel').first().waitFor({ state: 'detached' })
      const name =
        target === '/'
          ? 'home'
          : target
              .slice(1)
              .replaceAll('/', '-')
              .replace(/agents-.*/, 'agent')
      problems.push(...(await look(page, name)))
    }
    await open(`/chats/${chatId}`)
    await write(page, 'A question')
    await page.locator('figure.code').waitFor()
    await untilQuiet(page)
    problems.push(...(await look(page, 'chat')))
    expect(problems).to.deep.equal([])
    expect(targets.size).to.be.at.least(10)
    expect(complaints).to.deep.equal([])
  })

  it('keeps the pages before sign-in inside the window', async () => {
    const visitor = await openPage(agents.kernel)
    await visitor.context.addInitScript(
      "new MutationObserver(() => { if (document.documentElement.dir !== 'rtl') document.documentElement.dir = 'rtl' }).observe(document, { subtree: true, attributes: true, childList: true })",
    )
    const problems: string[] = []
    for (const target of ['/', '/register']) {
      await visitor.open(target)
      problems.push(...(await look(visitor.page, target === '/' ? 'sign-in' : 'register')))
    }
    expect(problems).to.deep.equal([])
    await visitor.close()
  })
})
