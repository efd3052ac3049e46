import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'
import { formulas, hostileFormulas } from './support/hostile-blocks.js'

const prose = '.turn.agent .prose'

/** What formulas consist of: names of elements and attributes, and single styles. */
const partsOfFormulas = `(() => {
  const all = [...document.querySelectorAll('${prose} .maths .katex, ${prose} .maths .katex *')]
  const distinct = (list) => [...new Set(list)].sort()
  return {
    elements: distinct(all.map((each) => each.localName)),
    attributes: distinct(all.flatMap((each) => [...each.attributes].map(({ name }) => name))),
    styles: distinct(all.flatMap((each) => [...(each.style ?? [])].map((name) => name + ': ' + each.style.getPropertyValue(name)))),
  }
})()`
const permittedElements = new Set(
  'span svg path line math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover'.split(
    ' ',
  ),
)
const permittedAttributes = new Set(
  'accent accentunder aria-hidden class columnalign columnlines columnspacing d depth display displaystyle fence height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize notation preserveAspectRatio rowlines rowspacing rspace scriptlevel separator stretchy stroke-width style viewBox voffset width x1 x2 y1 y2'.split(
    ' ',
  ),
)
/** Nothing is placed outside of its formula, and nothing has an address. */
const permittedStyle =
  /^(?:position: relative|(?:bottom|height|left|margin-\w+|min-width|padding-left|top|vertical-align|width|border-\w+-width): (?:-?[\d.]{1,9}(?:e-\d+)?(?:em|px)?|calc\(100% [+-] [\d.]+em\))|border-\w+-style: (?:solid|dashed)|(?:background-|border-\w+-)?color: (?:[a-z]+|rgb\([\d, ]+\))|text-shadow: 0\.02em 0\.01em 0\.04px)$/

describe('code and formulas in a chat', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  const strayed: string[] = []
  before(async () => {
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    opened.page.on('dialog', (dialog) => {
      strayed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    opened.page.on('request', (request) => {
      if (!request.url().startsWith(agents.kernel.url) && !/^(?:blob|data):/.test(request.url())) strayed.push(request.url())
    })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const show = async (answer: string): Promise<void> => opened.open(`/chats/${await importChat(opened.page, 2, () => answer)}`)

  it('formulas can be seen and heard, and their copy is TeX', async () => {
    const { page, inspect, complaints } = opened
    await show(
      formulas
        .map((tex) => `$$\n${tex}\n$$`)
        .join('\n\n')
        .concat('\n\nand $\\mathbb{R}$, or $\\frac{a}$.\n'),
    )
    await page.locator(`${prose} math`).nth(formulas.length).waitFor()
    expect(await page.locator(`${prose} math`).count()).to.equal(formulas.length + 1)
    // What is seen is hidden from those who listen, and the reverse.
    expect(await page.locator(`${prose} .katex-html[aria-hidden=true]`).count()).to.equal(formulas.length + 1)
    const inline = `${prose} p .maths:not(.maths-display)`
    expect(await page.locator(`${inline} mi`).getAttribute('mathvariant')).to.equal('double-struck')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('${inline} .mathbb')).fontFamily`)).to.equal('KaTeX_AMS')
    const wrong = page.locator(`${prose} code.maths-wrong`)
    expect(await wrong.textContent()).to.equal('\\frac{a}')
    expect(await wrong.getAttribute('title')).to.match(/^This formula cannot be shown: .+/)
    const copied = String(
      await page.evaluate(`getSelection().selectAllChildren(document.querySelector('${prose}')), getSelection().toString()`),
    )
    for (const tex of formulas) expect(copied).to.contain(tex)
    expect(copied).to.contain('$\\mathbb{R}$')
    expect(copied.split('\\mathbb{R}')).to.have.length(2)
    await page.evaluate('getSelection().empty()')
    expect(await inspect('maths')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('a formula loads the fonts that its letters need', async () => {
    const { page } = opened
    await show('$x+1$ and $\\mathfrak{g}$\n')
    await page.locator(`${prose} .katex-html`).last().waitFor()
    const fonts = `document.fonts.ready.then(() => [...document.fonts].filter(({ family, status }) => family.includes('KaTeX') && status !== 'unloaded').map(({ family, weight, style, status }) => [family.replace(/"/g, ''), weight, style, status].join(' ')).sort())`
    expect(await page.evaluate(fonts)).to.deep.equal([
      'KaTeX_Fraktur 400 normal loaded',
      'KaTeX_Main 400 normal loaded',
      'KaTeX_Math 400 italic loaded',
    ])
  })

  it('formulas of an attacker act, load, name and cover nothing', async () => {
    const { page, complaints } = opened
    await show(`${hostileFormulas.map((tex) => `\\[${tex}\\]`).join('\n\n')}\n\n$\\frac{1}{2}$\n`)
    await page.locator(`${prose} math`).first().waitFor()
    const shown = (await page.evaluate(`[...document.querySelectorAll('${prose} .maths')].length`)) as number
    expect(shown).to.equal(hostileFormulas.length + 1)
    // What a formula redefines is as before in the next.
    expect(await page.locator(`${prose} mfrac`).count()).to.equal(1)
    const { elements, attributes, styles } = (await page.evaluate(partsOfFormulas)) as Record<
      'elements' | 'attributes' | 'styles',
      string[]
    >
    expect(elements.filter((name) => !permittedElements.has(name))).to.deep.equal([])
    expect(attributes.filter((name) => !permittedAttributes.has(name))).to.deep.equal([])
    expect(styles.filter((style) => !permittedStyle.test(style))).to.deep.equal([])
    expect(styles).to.include('background-color: blue')
    expect(await page.evaluate(`[...document.querySelectorAll('${prose} .maths .scrim')].length`)).to.equal(0)
    expect(await page.evaluate('[window.acted, {}.acted]')).to.deep.equal([undefined, undefined])
    expect(strayed).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})
