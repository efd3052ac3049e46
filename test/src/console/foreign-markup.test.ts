import { markupRules } from '@agent-service/sdk/markdown'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callApi } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'
import { hostileMarkdown, shownWords } from './support/hostile-markdown.js'

/** What the page itself puts around foreign elements. */
const own = 'figure.code, figure.code > header, figure.code > header *, figure.code code span, .table-wrap, .wide, a[href^="#text-"]'

/** Everything in the place that is not on the list, and where a click in the frame of the page would go astray. */
const findings = (place: string): string => `(() => {
  const rules = ${JSON.stringify(
    Object.fromEntries(
      Object.entries(markupRules).map(([name, attributes]) => [
        name,
        Object.fromEntries(Object.entries(attributes).map(([attribute, { source, flags }]) => [attribute, [source, flags]])),
      ]),
    ),
  )}
  const found = []
  for (const element of document.querySelectorAll('${place} *')) {
    if (element.matches('${own}')) continue
    const name = element.localName
    const isListed = (attribute) => {
      if (name === 'pre' && attribute.name === 'tabindex' || name === 'table' && attribute.value === 'tbl') return true
      if (name === 'code' && attribute.name === 'translate' && attribute.value === 'no') return true
      return attribute.name in (rules[name] ?? {}) && new RegExp(...rules[name][attribute.name]).test(attribute.value)
    }
    if (!(name in rules) || ![...element.attributes].every(isListed)) found.push(element.cloneNode(false).outerHTML)
  }
  return found
})()`

const wordsOf = (place: string): string => `[...document.querySelectorAll('${place}')].map((each) => each.textContent).join('\\n')`

describe('Markdown of an attacker', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  const requested: string[] = []
  before(async () => {
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    await opened.context.route(/evil\.example|tracker\.example/, (route) => {
      requested.push(route.request().url())
      return route.abort()
    })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  /** The place has the elements of the list alone and every word, and nothing has run or been requested. */
  async function expectHarmless(place: string): Promise<void> {
    const { page } = opened
    expect(await page.evaluate(findings(place))).to.deep.equal([])
    const text = String(await page.evaluate(wordsOf(place)))
    expect(shownWords.filter((word) => !text.includes(word))).to.deep.equal([])
    expect(text).to.contain('(evil.example)')
    expect(await page.evaluate('window.acted')).to.equal(undefined)
    const hrefs = (await page.evaluate(
      `[...document.querySelectorAll('${place} a:not([href^="#text-"])')].map((each) => each.getAttribute('href'))`,
    )) as string[]
    expect(hrefs.filter((href) => !/^https:\/\/(evil|tracker)\.example\//.test(href))).to.deep.equal([])
    expect(hrefs).to.have.length(2)
    expect(requested).to.deep.equal([])
  }

  /** Whatever should slip through after all covers nothing beyond its own place. */
  async function expectContained(place: string): Promise<void> {
    const covered = await opened.page.evaluate(`(() => {
      const intruder = document.createElement('a')
      intruder.className = 'scrim'
      intruder.id = 'intruder'
      intruder.style.cssText = 'position: fixed; inset: -2000px; z-index: 2147483647'
      document.querySelector('${place}').append(intruder)
      const box = document.querySelector('${place}').getBoundingClientRect()
      const covered = []
      for (let x = 2; x < innerWidth; x += 40)
        for (let y = 2; y < innerHeight; y += 40) {
          const isInside = x >= box.left - 5 && x <= box.right + 5 && y >= box.top - 5 && y <= box.bottom + 5
          if (!isInside && document.elementFromPoint(x, y) === intruder) covered.push([x, y])
        }
      intruder.remove()
      return covered
    })()`)
    expect(covered).to.deep.equal([])
  }

  it('1.3.5 3.2.2 becomes nothing but the elements of the list in a chat, and covers nothing there', async () => {
    const { page, open, complaints } = opened
    const id = await importChat(page, 2, () => hostileMarkdown)
    await open(`/chats/${id}`)
    await page.locator('.turn.agent .prose table').waitFor()
    await expectHarmless('.turn.agent .prose')
    expect(await page.locator('figure.code pre').allTextContents()).to.deep.equal(['cover16\n', 'cover17\n', 'cover18\n'])
    expect(await page.locator('.table-wrap table.tbl').count()).to.equal(1)
    for (const place of ['.turn.agent .prose', '.chat-said']) await expectContained(place)
    expect(complaints).to.deep.equal([])
  })

  it('1.3.5 is formatted up to a length, and then as far as is wanted', async () => {
    const { page, open } = opened
    for (const [word, end, least] of [
      ['**long** word\n\n', 'last', 5_000],
      // Of one paragraph, so many marks count and no more.
      ['**long** word\n', '', 3_000],
    ] as const) {
      await open(`/chats/${await importChat(page, 2, () => `${word.repeat(20_000)}${end}`)}`)
      const prose = page.locator('.turn.agent .prose')
      await prose.locator('strong').first().waitFor()
      expect(await prose.locator('strong').count()).to.be.within(least, 10_000)
      expect((await prose.textContent())?.match(/long/g)).to.have.length(20_000)
      expect(await prose.locator('figure').count()).to.equal(0)
      const more = page.locator('.turn.agent').getByRole('button', { name: 'Format more of it' })
      if (end === '') continue
      for (let clicks = 0; clicks < 2; clicks += 1) await more.click()
      await more.waitFor({ state: 'detached' })
      expect(await prose.locator('strong').count()).to.equal(20_000)
      expect(await prose.textContent()).to.match(/last$/)
    }
  })

  it('1.3.5 is as harmless in the preview of a file, and behind links to the file and to the chat', async () => {
    const { page, open } = opened
    await page.evaluate(async (content) => {
      await fetch('/api/files/content?path=files/hostile.md', {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: content,
      })
    }, hostileMarkdown)
    await open('/files')
    await page.getByRole('button', { name: 'hostile.md', exact: true }).click()
    await page.locator('.preview-markdown table').waitFor()
    await expectHarmless('.preview-markdown')
    await expectContained('.preview-markdown')
    const chatId = await importChat(page, 2, () => hostileMarkdown)
    for (const what of [{ path: 'files/hostile.md' }, { chat_id: chatId }]) {
      const { content_url: url } = await callApi<{ readonly content_url: string }>(opened, 'POST', '/api/shares', what)
      await page.goto(new URL(url).pathname.replace('/s/', '/p/'))
      const place = 'path' in what ? '.said' : '.message.agent .said'
      await page.locator(place).locator('table').waitFor()
      await expectHarmless(place)
      await expectContained(place)
      await page.goto('/')
    }
  })
})
