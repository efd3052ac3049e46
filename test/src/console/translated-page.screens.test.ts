import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** What the translation of a browser does: each text becomes an element of its own, and so does each later one. */
const translation = `
  window.translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('font, textarea, script, style')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = '~' + text.data
      outer.append(inner)
      outer.original = text
      text.replaceWith(outer)
    }
  }
  window.untranslate = (again) => {
    for (const outer of document.querySelectorAll('font:has(> font)')) {
      outer.replaceWith(again ? outer.original : document.createTextNode(outer.textContent.replaceAll('~', '')))
    }
  }
`

describe('the console while its page is translated', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    await opened.context.addInitScript(translation)
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const translate = (): Promise<unknown> => opened.page.evaluate('translate()')

  it('shows the whole answer, and once', async () => {
    const { page, complaints } = opened
    const gates = [createGate(), createGate()]
    const pieces = ['One. ', 'Two, **bold**.\n\nSecond ', 'block. Three.']
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        for (const [index, text] of pieces.entries()) {
          yield { type: 'text.delta', part: 0, text }
          await gates[index]?.opened
        }
        yield { type: 'response.finished', content: [{ type: 'text', text: pieces.join('') }], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await translate()
    await ask(opened, 'Count')
    await page.locator('.turn.agent', { hasText: 'One.' }).waitFor()
    await translate()
    gates[0]?.open()
    await page.locator('.turn.agent', { hasText: 'Second' }).waitFor()
    await translate()
    gates[1]?.open()
    await page.locator('.turn.agent', { hasText: 'Three.' }).waitFor()
    await page.locator('.caret').waitFor({ state: 'detached' })
    await translate()
    const shown = (await page.locator('.turn.agent .prose').innerText()).replaceAll('~', '').replace(/\s+/g, ' ').trim()
    expect(shown).to.equal('One. Two, bold. Second block. Three.')
    expect(complaints).to.deep.equal([])
  })

  it('goes on with lists, titles, menus, dialogs and other screens', async () => {
    const { page, complaints } = opened
    const first = await openChat(opened, {}, 'Order the seeds')
    await openChat(opened, {}, 'Paint the shed')
    const bar = page.locator('.chat > .bar h1')
    await bar.filter({ hasText: 'Paint the shed' }).waitFor()
    await translate()
    expect(await bar.innerText()).to.equal('~Paint the shed')
    await page.locator('nav.side a', { hasText: 'Order the seeds' }).click()
    await bar.filter({ hasText: 'Order the seeds' }).waitFor()
    await translate()
    await callApi(opened, 'PATCH', `/api/chats/${first}`, { title: 'Order the bulbs' })
    await bar.filter({ hasText: 'Order the bulbs' }).waitFor()
    expect((await bar.innerText()).replace('~', '')).to.equal('Order the bulbs')
    await page.locator('nav.side a', { hasText: 'Order the bulbs' }).waitFor()
    expect(await page.locator('nav.side a', { hasText: 'Order the seeds' }).count()).to.equal(0)
    await translate()
    await callApi(opened, 'DELETE', `/api/chats/${first}`)
    await page.locator('nav.side a', { hasText: 'Order the bulbs' }).waitFor({ state: 'detached' })
    await page.locator('nav.side').getByRole('link', { name: 'Files' }).click()
    await page.locator('h1', { hasText: 'Files' }).waitFor()
    await translate()
    await page.keyboard.press('Control+k')
    const hits = page.locator('.palette .hit')
    await hits.first().waitFor()
    await translate()
    await page.getByRole('combobox').fill('memor')
    await hits.filter({ hasText: 'Memory' }).first().waitFor()
    await translate()
    await page.getByRole('combobox').fill('nothing like this')
    await page.locator('.palette', { hasText: 'No results for' }).waitFor()
    await page.getByRole('combobox').fill('agents')
    await hits.filter({ hasText: 'Agents' }).first().waitFor()
    expect(await page.locator('.palette', { hasText: 'No results for' }).count()).to.equal(0)
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'Agents' }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('replaces all words of a text that the translation shows in several elements', async () => {
    const { page, complaints } = opened
    const id = await openChat(opened, {}, 'Order the seeds')
    const title = page.locator('.chat > .bar h1')
    await title.filter({ hasText: 'Order the seeds' }).waitFor()
    await page.evaluate(`{
      const text = document.createTreeWalker(document.querySelector('.chat > .bar h1'), NodeFilter.SHOW_TEXT).nextNode()
      text.replaceWith(...text.data.split(' ').map((word) => {
        const outer = document.createElement('font')
        outer.append('~' + word)
        return outer
      }))
    }`)
    expect(await title.innerText()).to.equal('~Order~the~seeds')
    await callApi(opened, 'PATCH', `/api/chats/${id}`, { title: 'Paint' })
    await title.filter({ hasText: 'Paint' }).waitFor()
    expect(await title.innerText()).to.equal('Paint')
    expect(complaints).to.deep.equal([])
  })

  for (const way of ['the texts that were there', 'new texts'])
    it(`goes on when the translation is undone with ${way}`, async () => {
      const { page, complaints, open } = opened
      await open('/')
      await page.locator('.composer .pick').waitFor()
      const words = (): Promise<string> => page.locator('nav.side').innerText()
      const before = await words()
      await translate()
      expect(await words()).to.not.equal(before)
      await page.evaluate(`untranslate(${way === 'the texts that were there'})`)
      expect(await words()).to.equal(before)
      await page.locator('nav.side').getByRole('link', { name: 'Memory' }).click()
      await page.locator('h1', { hasText: 'Memory' }).waitFor()
      expect(complaints).to.deep.equal([])
    })

  it('leaves alone what an extension adds', async () => {
    const { page, complaints } = opened
    await openChat(opened)
    await page.evaluate(`
      for (const each of document.querySelectorAll('.composer, .chat > .bar, nav.side a')) {
        each.prepend(document.createElement('x-extension'))
        each.append(document.createElement('x-extension'))
      }
    `)
    await page.getByRole('textbox', { name: 'Message' }).fill('a word')
    await page.locator('nav.side').getByRole('link', { name: 'Files' }).click()
    await page.locator('h1', { hasText: 'Files' }).waitFor()
    expect(complaints).to.deep.equal([])
  })
})
