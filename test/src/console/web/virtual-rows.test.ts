import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

const modules = [
  'sdk/web/lists.ts',
  'sdk/web/lists/blocks.ts',
  'sdk/web/core/dom.ts',
  'sdk/web/core/solid.ts',
  'sdk/web/preview/table-view.tsx',
]
/** What the styles of the list and of the console do that matters here. */
const styles = `* { box-sizing: border-box; margin: 0; padding: 0 } ul { list-style: none } li { block-size: 30px } .box { block-size: 600px; overflow: auto }
  .virtual-far { block-size: var(--far-height); overflow: hidden; white-space: pre; content-visibility: auto }
  .table-scroll { block-size: 600px; overflow: auto } .table-far > div { block-size: var(--far-height); overflow: hidden; inline-size: 0; min-inline-size: 100% }`

describe('a list of ten thousand rows', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    code = await bundleWebModules(modules)
  })
  after(() => closeBrowser())

  /** Shows a list; `options` is the text of further properties. */
  const show = async (options = ''): Promise<void> => {
    await openWebModules(page, code)
    await page.addStyleTag({ content: styles })
    await page.evaluate(`(() => {
      root.className = 'box'
      root.tabIndex = 0
      window.made = 0
      const [items, setItems] = web.createSignal(Array.from({ length: 10_000 }, (_, index) => ({ name: 'Row ' + (index + 1) })))
      Object.assign(window, { items, setItems })
      web.render(() => web.createComponent(web.VirtualRows, {
        get items() { return items() },
        label: 'Rows', text: ({ name }) => name, rowHeight: 30, ${options}
        children: ({ name }) => {
          window.made += 1
          return Object.assign(document.createElement('button'), { textContent: name })
        },
      }), root)
    })()`)
    await rows().first().waitFor()
  }
  const rows = () => page.getByRole('listitem')
  const row = (name: string) => page.getByRole('button', { name, exact: true })
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
  const inPage = (): Promise<number> => page.locator('[aria-posinset]').count()

  it('has only those near what is seen in the page, and says the place of each in the whole', async () => {
    await show()
    expect(await inPage()).to.be.within(50, 200)
    expect(await page.locator('#root *').count()).to.be.below(1_000)
    expect(await page.getByRole('list', { name: 'Rows' }).count()).to.equal(1)
    expect(
      await rows()
        .nth(4)
        .evaluate((item) => [item.ariaSetSize, item.ariaPosInSet]),
    ).to.deep.equal(['10000', '5'])
  })

  it('scrolls to the end with the keyboard; what was seen before leaves, and all keep their places', async () => {
    await show()
    await page.locator('#root').focus()
    const height = await page.evaluate('root.scrollHeight')
    expect(height).to.equal(300_000)
    await page.keyboard.press('End')
    await row('Row 10000').waitFor()
    await row('Row 1').waitFor({ state: 'detached' })
    expect(await inPage()).to.be.within(50, 200)
    expect(await page.evaluate('root.scrollHeight')).to.equal(height)
    await page.keyboard.press('Home')
    await row('Row 1').waitFor()
    await row('Row 10000').waitFor({ state: 'detached' })
  })

  it('keeps the row that has the focus, and its neighbours, however far the list is scrolled', async () => {
    await show()
    await row('Row 3').focus()
    await page.evaluate('root.scrollTop = 150_000')
    await row('Row 5010').waitFor()
    expect(await focused()).to.equal('Row 3')
    await page.keyboard.press('Tab')
    expect(await focused()).to.equal('Row 4')
    await row('Row 50').focus()
    await page.keyboard.press('Tab')
    expect(await focused()).to.equal('Row 51')
    await page.evaluate('root.scrollTop = 290_000')
    await row('Row 9700').focus()
    await row('Row 3').waitFor({ state: 'detached' })
  })

  it('leads with keys to rows that are not in the page', async () => {
    await show("entry: 'button',")
    await row('Row 1').focus()
    await page.keyboard.press('End')
    expect(await focused()).to.equal('Row 10000')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).to.equal('Row 9999')
    await page.keyboard.press('Home')
    expect(await focused()).to.equal('Row 1')
    for (const key of 'row 77') await page.keyboard.press(key === ' ' ? 'Space' : key)
    expect(await focused()).to.equal('Row 77')
    await page.keyboard.press('7')
    await page.keyboard.press('7')
    expect(await focused()).to.equal('Row 7777')
    expect(await inPage()).to.be.below(500)
  })

  it('has the words of all rows for the search of the browser', async () => {
    await show()
    expect(await row('Row 7777').count()).to.equal(0)
    expect(await page.evaluate("[window.find('Row 7777'), getSelection().toString()]")).to.deep.equal([true, 'Row 7777'])
    // The search itself scrolls to what it found; `find` only selects it.
    await page.evaluate('getSelection().anchorNode.parentElement.scrollIntoView()')
    await row('Row 7777').waitFor()
  })

  it('makes no row again when it grows, shrinks or changes elsewhere', async () => {
    await show()
    const made = Number(await page.evaluate('made'))
    await page.evaluate("row5 = [...document.querySelectorAll('button')][4]; row5.focus()")
    await page.evaluate("setItems((all) => [...all.slice(2), { name: 'New' }])")
    expect(await page.evaluate('[row5 === document.activeElement, row5.closest("li").ariaPosInSet, made]')).to.deep.equal([true, '3', made])
    await page.evaluate("setItems((all) => [{ name: 'A' }, { name: 'B' }, { name: 'C' }, ...all])")
    expect(await page.evaluate('[row5 === document.activeElement, row5.closest("li").ariaPosInSet]')).to.deep.equal([true, '6'])
    await page.evaluate('setItems([])')
    expect(await page.locator('#root li').count()).to.equal(0)
  })

  it('begins with the end where it grows there', async () => {
    await show('fromEnd: true,')
    await row('Row 10000').waitFor()
    await page.evaluate("setItems((all) => [...all, { name: 'Newest' }])")
    expect(await row('Newest').count()).to.equal(1)
  })

  it('divides what is empty, short, and on a border', async () => {
    const sizes = await page.evaluate(`[0, 1, 49, 50, 51, 100].map((length) => web.createRoot((dispose) => {
      const blocks = web.createBlocks(() => Array.from({ length }, (_, index) => index), 50)()
      dispose()
      return [...blocks].map(([key, { items, start }]) => [key, items.length, start])
    }))`)
    const first = [0, 50, 0]
    expect(sizes).to.deep.equal([[], [[0, 1, 0]], [[0, 49, 0]], [first], [first, [1, 1, 50]], [first, [1, 50, 50]]])
  })

  it('is a table just as well, whose rows say their places', async () => {
    await openWebModules(page, code)
    await page.addStyleTag({ content: styles })
    await page.evaluate(`(() => {
      const text = ['name,price', ...Array.from({ length: 10_000 }, (_, index) => 'Pot ' + (index + 1) + ',' + index)].join('\\n')
      web.render(() => web.createComponent(web.TableView, { text, name: 'pots.csv', isCut: false }), root)
    })()`)
    const cell = (name: string) => page.getByRole('cell', { name, exact: true })
    await cell('Pot 1').waitFor()
    expect(await page.locator('tr').count()).to.be.below(600)
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal('10001')
    await page.getByRole('region', { name: 'pots.csv' }).focus()
    await page.keyboard.press('End')
    await cell('Pot 10000').waitFor()
    expect(await page.locator('tr', { has: cell('Pot 10000') }).getAttribute('aria-rowindex')).to.equal('10001')
    await cell('Pot 1').waitFor({ state: 'detached' })
  })
})
