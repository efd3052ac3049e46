import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

describe('typing in a list', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, await bundleWebModules(['sdk/web/ui/typeahead.ts', 'sdk/web/ui/list-keys.ts']))
  })
  after(() => closeBrowser())

  type Typed = readonly [typed: string, at: number]

  /** The labels that one thing typed after the other leads to. */
  const found = (labels: readonly string[], typed: readonly Typed[], first = 0, language = 'en'): Promise<unknown> =>
    page.evaluate(`(() => {
      const { labels, typed, language } = ${JSON.stringify({ labels, typed, language })}
      const typeahead = web.createTypeahead(() => language)
      let current = ${first}
      return typed.map(([text, at]) => {
        const place = typeahead.find(text, at, { count: labels.length, labelOf: (each) => labels[each], current })
        if (place !== undefined) current = place
        return place === undefined ? null : labels[place]
      })
    })()`)
  /** Characters a tenth of a second apart. */
  const quickly = (text: string, from = 0): readonly Typed[] =>
    [...text].map((character, index) => [character, from + index * 100] as const)

  const fruits = ['Apple', 'Apricot', 'Banana', 'Blackberry', 'Black currant', 'Cherry']

  it('makes a word of characters in quick succession, and a new one after a pause', async () => {
    expect(await found(fruits, quickly('bla'))).to.deep.equal(['Banana', 'Blackberry', 'Blackberry'])
    expect(await found(fruits, [...quickly('b'), ...quickly('c', 1_000)])).to.deep.equal(['Banana', 'Cherry'])
    expect(await found(fruits, [...quickly('b'), ...quickly('c', 999)])).to.deep.equal(['Banana', null])
  })

  it('begins behind the current entry, and goes on from the start', async () => {
    expect(await found(fruits, quickly('a'))).to.deep.equal(['Apricot'])
    expect(await found(fruits, quickly('a'), 5)).to.deep.equal(['Apple'])
    expect(await found(fruits, quickly('c'), 5)).to.deep.equal(['Cherry'])
    expect(await found(fruits, quickly('b'), -1)).to.deep.equal(['Banana'])
  })

  it('leads from one entry to the next with the same letter', async () => {
    expect(await found(fruits, quickly('bbBb'))).to.deep.equal(['Banana', 'Blackberry', 'Black currant', 'Banana'])
  })

  it('takes a Space into a word, as in “Black c”', async () => {
    expect((await found(fruits, quickly('black c'))) as readonly string[]).to.include('Black currant')
    expect(
      await page.evaluate(`(() => {
      const typeahead = web.createTypeahead(() => 'en')
      const before = typeahead.hasBegun(0)
      typeahead.find('b', 0, { count: 0, labelOf: () => '', current: -1 })
      return [before, typeahead.hasBegun(999), typeahead.hasBegun(1_000)]
    })()`),
    ).to.deep.equal([false, true, false])
  })

  it('is blind to case and marks, by the language of the page', async () => {
    expect(await found(['x', 'Émile', 'Übung', 'straße', '\u2068Ole'], [['E', 0]], 0, 'de')).to.deep.equal(['Émile'])
    expect(await found(['x', 'U\u0308bung'], [['ü', 0]], 0, 'de')).to.deep.equal(['U\u0308bung'])
    expect(await found(['x', 'Ärger', 'Öl'], quickly('ol'), 0, 'de')).to.deep.equal(['Öl', 'Öl'])
    expect(await found(['x', 'Öl', 'Ost'], [['o', 0]], 0, 'sv')).to.deep.equal(['Ost'])
    // Half of what a letter stands for is none.
    expect(await found(['x', 'straße'], quickly('strasse'), 0, 'de')).to.deep.equal([
      ...['straße', 'straße', 'straße', 'straße'],
      null,
      ...['straße', 'straße'],
    ])
    expect(await found(['x', '\u2068Ole\u2069'], [['o', 0]])).to.deep.equal(['\u2068Ole\u2069'])
  })

  it('takes what an input method composed at once', async () => {
    expect(await found(['東京', '大阪', '大分', '京都'], [['大分', 0]])).to.deep.equal(['大分'])
    expect(
      await found(
        ['東京', '大阪', '大分', '京都'],
        [
          ['大', 0],
          ['分', 300],
        ],
      ),
    ).to.deep.equal(['大阪', '大分'])
  })

  it('knows the keys that type', async () => {
    const typed = (init: object): Promise<unknown> =>
      page.evaluate(`web.typedCharacter(new KeyboardEvent('keydown', ${JSON.stringify(init)})) ?? null`)
    expect(await typed({ key: 'a' })).to.equal('a')
    expect(await typed({ key: 'A', shiftKey: true })).to.equal('A')
    expect(await typed({ key: '𠮷' })).to.equal('𠮷')
    expect(await typed({ key: '@', ctrlKey: true, altKey: true, modifierAltGraph: true })).to.equal('@')
    for (const other of [
      { key: 'a', ctrlKey: true },
      { key: 'a', metaKey: true },
      { key: 'a', altKey: true },
      { key: 'a', isComposing: true },
      { key: 'Enter', keyCode: 229 },
      { key: 'Dead' },
      { key: 'ArrowDown' },
      { key: 'F1' },
    ])
      expect(await typed(other), JSON.stringify(other)).to.equal(null)
  })

  describe('with entries in the page', () => {
    const list = (wraps: boolean): Promise<unknown> =>
      page.evaluate(`(() => {
        window.pressed = []
        root.innerHTML = '<ul>' + ['Open', 'Make a copy', 'Make it mine', 'Delete'].map((name) =>
          '<li><span aria-hidden="true">Z</span><button class="entry"><i aria-hidden="true">Q</i>' + name + '</button><button class="other">More</button>' +
          '<div popover><button class="inner">Inner</button></div><input></li>').join('') + '</ul>'
        const place = root.firstElementChild
        place.addEventListener('click', ({ target }) => pressed.push(target.textContent))
        web.addEntryKeys(place, { entries: () => [...place.querySelectorAll('.entry')], row: 'li', wraps: ${wraps} })
        document.querySelector('.entry').focus()
      })()`)
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.textContent.replace(/^Q/, '')")
    const press = async (...keys: readonly string[]): Promise<unknown> => {
      for (const key of keys) await page.keyboard.press(key)
      return focused()
    }

    it('leads with arrows, Home, End and letters; a Space belongs to a word, and presses an entry otherwise', async () => {
      await list(false)
      expect(await press('ArrowUp')).to.equal('Open')
      expect(await press('End', 'ArrowDown')).to.equal('Delete')
      expect(await press('Home', 'ArrowDown')).to.equal('Make a copy')
      await list(true)
      expect(await press('ArrowUp')).to.equal('Delete')
      expect(await press('ArrowDown')).to.equal('Open')
      await list(true)
      expect(await press('m', 'a', 'k', 'e', 'Space', 'i')).to.equal('Make it mine')
      expect(await page.evaluate('pressed')).to.deep.equal([])
      await list(true)
      await press('Space')
      expect(await page.evaluate('pressed')).to.deep.equal(['QOpen'])
    })

    it('goes on from the row that the focus is in, and leaves fields and what is open over the list alone', async () => {
      await list(false)
      await page.locator('.other').nth(1).focus()
      expect(await press('d')).to.equal('Delete')
      await page.locator('input').first().focus()
      expect(await press('d', 'ArrowDown')).to.equal('')
      expect(await page.locator('input').first().inputValue()).to.equal('d')
      await page.evaluate("document.querySelector('[popover]').showPopover()")
      await page.locator('.inner').first().focus()
      expect(await press('d')).to.equal('Inner')
    })

    it('takes what was composed, and leaves letters that lead nowhere to the shortcuts of the page', async () => {
      await list(false)
      await page.evaluate("document.activeElement.dispatchEvent(new CompositionEvent('compositionend', { data: 'de', bubbles: true }))")
      expect(await focused()).to.equal('Delete')
      await list(false)
      await page.evaluate('window.left = []; document.body.onkeydown = (event) => event.defaultPrevented || left.push(event.key)')
      await press('x', 'Control+m', 'Tab')
      expect(await page.evaluate('left.filter((key) => key.length === 1)')).to.deep.equal(['x', 'm'])
    })
  })
})
