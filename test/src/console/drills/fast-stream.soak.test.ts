import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { createGate } from '../../agents/support/client-view.js'
import { setScript } from '../../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../open-page.js'
import { answersOn, importChat, untilQuiet, write } from '../support/chat-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
const words = Array.from({ length: 400 }, (_, index) => `word${index} `)

/** Records every change below the thread until it is read. */
const observe = `(() => {
  const tail = document.querySelector('.prose :has(> .caret)').firstChild
  const seen = { appended: 0, others: [], sameNode: true }
  const take = (records) => {
    for (const { type, target, oldValue, attributeName } of records) {
      const grew = type === 'characterData' && target === tail && target.data.startsWith(oldValue)
      if (grew) seen.appended += 1
      else seen.others.push(type + ' ' + (attributeName ?? '') + ' in ' + (target.className ?? target.parentElement?.className ?? ''))
    }
  }
  const observer = new MutationObserver(take)
  observer.observe(document.querySelector('.thread'), {
    subtree: true, childList: true, characterData: true, characterDataOldValue: true, attributes: true,
  })
  window.readSeen = () => {
    take(observer.takeRecords())
    observer.disconnect()
    seen.sameNode = tail.isConnected
    return seen
  }
})()`

/** Resolves when nothing of the page has changed for half a second: what is said of the run is there. */
const settled = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 500)
  new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(resolve, 500)
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
})`

interface Seen {
  readonly appended: number
  readonly others: readonly string[]
  readonly sameNode: boolean
}

/** Lets the model say these words, one in five milliseconds, between two gates. */
function streamBetween(words: readonly string[], first: string): { readonly text: string; begin(): void; end(): void } {
  const begin = createGate()
  const end = createGate()
  const text = `${first}${words.join('')}last`
  setScript({
    async *answer() {
      yield { type: 'response.started' }
      yield { type: 'text.delta', part: 0, text: first }
      await begin.opened
      for (const word of words) {
        yield { type: 'text.delta', part: 0, text: word }
        await setTimeout(5)
      }
      yield { type: 'text.delta', part: 0, text: 'last' }
      await end.opened
      yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
    },
  })
  return { text, begin: begin.open, end: end.open }
}

interface Trace {
  readonly traceEvents: readonly {
    readonly name: string
    readonly args: { readonly beginData?: { readonly dirtyObjects: number; readonly totalObjects: number } }
  }[]
}

describe('an answer that streams fast', function () {
  this.timeout(90_000)
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

  /** Opens a chat with as many messages in it and lets the answer begin. */
  const begin = async (messages: number): Promise<void> => {
    const { page, open } = opened
    await open(`/chats/${await importChat(page, messages, (index) => `Message number ${index}`)}`)
    await page.getByText(`Message number ${messages - 1}`).waitFor()
    await write(page, 'Talk fast')
    await page.locator('.prose:has(.caret)', { hasText: 'Then:' }).waitFor()
    await page.evaluate(settled)
  }

  it('is appended to one text node, and nothing above it is touched', async () => {
    const { page } = opened
    const stream = streamBetween(words, 'A finished block.\n\nThen: ')
    await begin(60)
    await page.evaluate(observe)
    stream.begin()
    await page.locator('.prose:has(.caret)', { hasText: 'last' }).waitFor()
    const seen = (await page.evaluate('window.readSeen()')) as Seen
    expect(seen.others, 'changes beside the text node').to.deep.equal([])
    expect(seen.sameNode).to.equal(true)
    expect(seen.appended).to.be.within(1, words.length + 1)
    stream.end()
    await untilQuiet(page)
    expect((await answersOn(page)).at(-1)).to.equal(stream.text.replace('\n\n', ''))
  })

  it('makes the browser lay out as little in a long chat as in a short one', async () => {
    const { page, context } = opened
    const browser = context.browser()
    if (!browser) throw new Error('There is no browser.')
    const mostIn = async (messages: number): Promise<number> => {
      const stream = streamBetween(words.slice(0, 100), 'Then: ')
      await begin(messages)
      await browser.startTracing(page, { categories: ['devtools.timeline', 'blink'] })
      stream.begin()
      await page.locator('.prose:has(.caret)', { hasText: 'last' }).waitFor()
      const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as Trace
      stream.end()
      await untilQuiet(page)
      const layouts = traceEvents.flatMap(({ name, args }) => (name === 'Layout' && args.beginData ? [args.beginData] : []))
      expect(layouts).to.not.have.length(0)
      return Math.max(...layouts.map(({ dirtyObjects }) => dirtyObjects))
    }
    const short = await mostIn(4)
    // Each message has more objects than one; a few of other parts may be laid out at the same time.
    expect(await mostIn(50)).to.be.below(short + 50)
  })
})
