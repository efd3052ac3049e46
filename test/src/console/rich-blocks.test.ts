import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'
import { formulas, hostileFormulas } from './support/hostile-blocks.js'

const prose = '.turn.agent .prose'

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

  it('formulas are MathML that can be read, and their copy is TeX', async () => {
    const { page, inspect, complaints } = opened
    await show(
      formulas
        .map((tex) => `$$\n${tex}\n$$`)
        .join('\n\n')
        .concat('\n\nand $\\mathbb{R}$, or $\\frac{a}$.\n'),
    )
    await page.locator(`${prose} math`).nth(formulas.length).waitFor()
    expect(await page.locator(`${prose} math`).count()).to.equal(formulas.length + 1)
    // Bold and double-struck letters are other characters, since browsers have no other way to show them.
    expect(await page.locator(`${prose} p math`).last().textContent()).to.equal('ℝ')
    const wrong = page.locator(`${prose} code.maths-wrong`)
    expect(await wrong.textContent()).to.equal('\\frac{a}')
    expect(await wrong.getAttribute('title')).to.match(/^This formula cannot be shown: .+/)
    const copied = String(
      await page.evaluate(`getSelection().selectAllChildren(document.querySelector('${prose}')), getSelection().toString()`),
    )
    for (const tex of formulas) expect(copied).to.contain(tex)
    expect(copied).to.contain('$\\mathbb{R}$')
    expect(copied).not.to.contain('ℝ')
    await page.evaluate('getSelection().empty()')
    expect(await inspect('maths')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('formulas of an attacker act, load, name and cover nothing', async () => {
    const { page, complaints } = opened
    await show(`${hostileFormulas.map((tex) => `\\[${tex}\\]`).join('\n\n')}\n\n$\\frac{1}{2}$\n`)
    await page.locator(`${prose} math`).first().waitFor()
    const shown = (await page.evaluate(`[...document.querySelectorAll('${prose} .maths')].length`)) as number
    expect(shown).to.equal(hostileFormulas.length + 1)
    // What a formula redefines is as before in the next.
    expect(await page.locator(`${prose} mfrac`).count()).to.equal(1)
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('${prose} .maths *')].flatMap((each) => [...each.attributes].map(({ name }) => name).concat(each.localName)).filter((name) => /^(?:a|img|mglyph|script|foreignObject|semantics|annotation|annotation-xml|maction|href|src|id|xlink:href|on.*)$/.test(name))`,
      ),
    ).to.deep.equal([])
    expect(await page.evaluate(`[...document.querySelectorAll('${prose} .maths .scrim')].length`)).to.equal(0)
    expect(await page.evaluate('[window.acted, {}.acted]')).to.deep.equal([undefined, undefined])
    expect(strayed).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})
