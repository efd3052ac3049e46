import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { hostileMarkdown } from './support/hostile-markdown.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** Lets the model say the pieces, each when it is told to. */
function sayStepwise(pieces: readonly string[]): { next(): void } {
  const gates = pieces.map(() => createGate())
  let given = 0
  setScript({
    async *answer() {
      yield { type: 'response.started' }
      for (const [index, text] of pieces.entries()) {
        await gates[index]?.opened
        yield { type: 'text.delta', part: 0, text }
      }
      await gates.at(-1)?.opened
      yield { type: 'response.finished', content: [{ type: 'text', text: pieces.join('') }], stop_reason: 'stop', usage }
    },
  })
  return {
    next() {
      gates[given]?.open()
      given += 1
    },
  }
}

const shown = `[...document.querySelectorAll('.turn.agent .prose')].map((prose) => prose.innerHTML.replace(/text-\\d+-/g, '')).join()`

describe('Markdown that streams', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  it('is formatted before it is finished, keeps its nodes, and has the caret at its end', async () => {
    const { page, complaints } = opened
    const steps: readonly (readonly [text: string, selector: string, shown: string])[] = [
      ['Some **bo', '.prose > p > strong', 'bo'],
      ['ld** word and [a li', '.prose > p', 'Some bold word and a li'],
      ['nk](https://a.example/x', '.prose > p', 'Some bold word and a link'],
      [').\n\n- one\n- tw', '.prose > ul > li:last-of-type', 'tw'],
      ['o\n\n| a | b', '.prose table th:last-of-type', 'b'],
      [' |\n|--', '.prose table th:last-of-type', 'b'],
      ['-|---|\n| `x', '.prose table td:first-of-type', 'x'],
      ['` | y |\n\n```js\nconst a', '.prose figure.code pre', 'const a'],
      [' = 1\n``', '.prose figure.code pre', 'const a = 1'],
      ['`\n\nThe en', '.prose > p:last-of-type', 'The en'],
    ]
    const said = sayStepwise([...steps.map(([text]) => text), 'd.'])
    await openChat(opened)
    await ask(opened, 'Tell me')
    for (const [, selector, words] of steps) {
      said.next()
      const place = page.locator(`.turn.agent ${selector}`)
      await place
        .getByText(words, { exact: true })
        .or(place.filter({ hasText: words }))
        .first()
        .waitFor()
      expect(await place.last().textContent()).to.equal(words)
      expect(await page.locator('.turn.agent .caret').count()).to.equal(1)
      const holder = page.locator(`.turn.agent ${selector.replace(' > strong', '')} > .caret`)
      expect(await holder.count(), `the caret behind ${words}`).to.equal(1)
      if (words === 'bo')
        await page.evaluate(`window.kept = [document.querySelector('.prose p'), document.querySelector('.prose strong').firstChild]
        getSelection().setBaseAndExtent(window.kept[1], 0, window.kept[1], 2)`)
      expect(await page.evaluate('[window.kept.every((node) => node.isConnected), String(getSelection())]')).to.deep.equal([true, 'bo'])
      expect(await page.evaluate(`document.querySelector('.turn.agent .prose').textContent`)).not.to.match(/\*\*|\]\(|\||`/)
    }
    said.next()
    await page.locator('.caret').waitFor({ state: 'detached' })
    await page.getByText('The end.').waitFor()
    expect(await page.evaluate('window.kept[0].isConnected')).to.equal(true)
    expect(await page.locator('.turn.agent .prose [translate]:not(code, .code-title)').count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  it('closes code in lists and formulas in sentences once something stands behind them', async () => {
    const { page, complaints } = opened
    const said = sayStepwise(['1. One\n\n   ```js\n   const a = 1\n', '   ```\n\n2. Two with $x^2$', ' and more', '.\n\nThe end.', ''])
    await openChat(opened)
    await ask(opened, 'Tell me')
    for (const words of ['const a = 1', 'Two with', 'and more', 'The end.']) {
      said.next()
      await page.locator('.turn.agent .prose', { hasText: words }).waitFor()
      expect(await page.locator('.turn.agent .caret').count(), `carets behind ${words}`).to.equal(1)
    }
    await page.locator('.turn.agent .maths math').waitFor()
    await page.getByRole('button', { name: 'Download code' }).waitFor()
    said.next()
    await page.locator('.caret').waitFor({ state: 'detached' })
    expect(complaints).to.deep.equal([])
  })

  it('names the file that a fence names, and saves its code as that', async () => {
    const { page, complaints } = opened
    setScript({ answer: () => says('```py title="src/population.py"\npass\n```\n\n- one\n\n  ```js file=list.js\n  a\n  ```\n\nThe end.') })
    await openChat(opened)
    await ask(opened, 'Name it')
    await page.locator('.turn.agent figure.code').nth(1).waitFor()
    await page.locator('.caret').waitFor({ state: 'detached' })
    await page.getByText('The end.').waitFor()
    expect(await page.locator('.turn.agent .code-title').allTextContents()).to.deep.equal(['src/population.py', 'list.js'])
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download code' }).first().click()
    expect((await saved).suggestedFilename()).to.equal('population.py')
    expect(complaints).to.deep.equal([])
  })

  it('is at its end what it is after a reload, and has at no time more than that', async () => {
    const { page, complaints } = opened
    const text = `# A\n\n- a\n\n- b [x][late]\n\n${hostileMarkdown}\n\n1. c\n   \`\`\`\n   d\n   \`\`\`\n\n[late]: https://evil.example/late`
    setScript({ answer: () => says(...(text.match(/[\s\S]{1,40}/g) ?? [])) })
    await openChat(opened)
    await page.evaluate(`window.bad = []; new MutationObserver(() => {
      for (const each of document.querySelectorAll('.turn.agent .prose :is(script, img, input, form, iframe, svg, style, [onclick], [style], [id]:not([id^=text-]))'))
        if (!each.closest('header')) window.bad.push(each.outerHTML)
    }).observe(document.body, { subtree: true, childList: true })`)
    await ask(opened, 'Attack')
    await page.locator('.turn.agent .prose', { hasText: 'cover32' }).waitFor()
    await page.locator('.caret').waitFor({ state: 'detached' })
    expect(await page.evaluate('[window.bad, window.acted]')).to.deep.equal([[], undefined])
    const streamed = await page.evaluate(shown)
    await page.reload()
    await page.locator('.turn.agent .prose table').waitFor()
    expect(streamed).to.equal(await page.evaluate(shown))
    expect(complaints).to.deep.equal([])
  })

  it('has footnotes that lead to each other within the message', async () => {
    const { page, complaints, inspect } = opened
    setScript({ answer: () => says('Said[^one].\n\n', 'Word.\n\n'.repeat(60), '[^one]: The **note**.') })
    await openChat(opened)
    await ask(opened, 'Say it')
    await page.getByText('The note.').waitFor()
    await page.locator('.caret').waitFor({ state: 'detached' })
    const reference = page.getByRole('link', { name: 'Footnote 1', exact: true })
    await reference.click()
    const note = page.locator('.prose li', { hasText: 'The note.' })
    expect(await note.evaluate((element) => element.matches(':focus'))).to.equal(true)
    expect(new URL(page.url()).hash).to.equal('')
    await page.getByRole('link', { name: 'Back to the place of footnote 1 in the text' }).press('Enter')
    expect(await reference.evaluate((element) => element.matches(':focus'))).to.equal(true)
    expect(await inspect('chat-footnotes')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('is one sentence before a call of a tool, whatever of it had been shown when the call began', async () => {
    const { page, complaints } = opened
    const begun = createGate()
    const gate = createGate()
    const said = 'I look for the file **now**, and then I go on.'
    setScript({
      async *answer(request) {
        if (resultsIn(request).length > 0) return yield* says('It is done.')
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: said.slice(0, 20) }
        await begun.opened
        yield { type: 'text.delta', part: 0, text: said.slice(20) }
        yield { type: 'tool_call.started', part: 1, provider_call_id: 'vendor-1', name: 'tool__read' }
        yield { type: 'tool_call.delta', part: 1, arguments_text: '{}' }
        const call = { type: 'tool_call' as const, call_id: 'vendor-1', name: 'tool__read', arguments: {} }
        yield { type: 'response.finished', content: [{ type: 'text', text: said }, call], stop_reason: 'tool_calls', usage }
      },
      async tool() {
        await gate.opened
        return { content: [{ type: 'text', text: 'found' }] }
      },
    })
    await openChat(opened, { tools: ['tool__read'], approval: { '*': 'never' } })
    await ask(opened, 'Find it')
    await page.locator('.turn.agent .prose', { hasText: 'I look for' }).waitFor()
    // What arrives now is shown in one frame, as where a page is busy or in the background.
    await page.evaluate(`window.frames_ = []; window.requestAnimationFrame = (callback) => window.frames_.push(callback)`)
    begun.open()
    await page.locator('.turn.agent .tool').waitFor()
    await page.evaluate('window.frames_.splice(0).forEach((callback) => callback(performance.now()))')
    await page.locator('.turn.agent .prose', { hasText: 'and then I go on.' }).waitFor()
    const parts = await page.locator('.turn.agent .prose').first().locator('> *').allTextContents()
    gate.open()
    expect(parts).to.deep.equal([said.replaceAll('**', '')])
    expect(complaints).to.deep.equal([])
  })
})
