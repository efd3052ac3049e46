import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { measureMemory, watchTasks } from '../campaigns/support/console/page-figures.js'
import { closeBrowser, openPage } from '../console/open-page.js'
import { importChat, messageField, untilQuiet, write } from '../console/support/chat-page.js'
import { startScriptedService } from '../console/support/scripted-service.js'
import { removeFolder, type ServiceProcess } from '../support/service-process.js'
import { type Figure, median } from './figures.js'

const loads = 5
const longChat = 2_000
/** With signs and code, 2,000 tokens. */
const wordsOfAnswer = 1_200
const ada = { username: 'ada', password: 'a long enough password' }
const composer = 'textarea'

/**
 * What the console costs a browser: the first load of three pages without a cache, a chat of 2,000 messages
 * up to its first one, and an answer of mixed Markdown at 200 tokens a second while the person types.
 */
export async function benchConsolePages(print: (line: string) => void): Promise<readonly Figure[]> {
  const reply = mixedMarkdown(wordsOfAnswer)
  const service = await startScriptedService({ reply, wordDelayMs: 3 })
  try {
    print(`  loading each page ${loads} times without a cache`)
    const loaded = await firstLoads(service)
    print(`  a chat of ${longChat} messages`)
    const long = await longChats(service)
    const tokens = reply.match(/\S+/g)?.length ?? 0
    print(`  an answer of ${tokens} tokens`)
    return [...loaded, ...long, ...(await fastAnswer(service, tokens))]
  } finally {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
  }
}

async function firstLoads(service: ServiceProcess): Promise<readonly Figure[]> {
  const { page, context, close } = await openPage(service, { credentials: ada })
  const chat = await importChat(page, 50, (index) => `Message number ${index}, with **some** Markdown.`)
  const signedIn = await context.storageState()
  const pages = [
    { name: 'sign-in page', path: '/', control: 'input[type="password"]' },
    { name: 'start page', path: '/', control: composer, storageState: signedIn },
    { name: 'a chat', path: `/chats/${chat}`, control: '.turn.agent .prose p', storageState: signedIn },
  ]
  const figures: Figure[] = []
  for (const { name, path, control, storageState } of pages) {
    const rounds: Load[] = []
    for (let round = 0; round < loads; round += 1) {
      const fresh = await context.browser()?.newContext({ baseURL: service.url, ...(storageState && { storageState }) })
      if (!fresh) throw new Error('There is no browser.')
      rounds.push(await loadCold(fresh, path, control))
      await fresh.close()
    }
    const of = (key: keyof Load): number => median(rounds.map((load) => load[key]))
    figures.push(
      { what: `${name}: requests`, ours: of('requests'), unit: '' },
      { what: `${name}: over the wire, headers too`, ours: of('wire') / 1_024, unit: 'KiB' },
      { what: `${name}: the same unpacked`, ours: of('plain') / 1_024, unit: 'KiB' },
      { what: `${name}: first contentful paint`, ours: of('painted'), unit: 'ms' },
      { what: `${name}: its control is there`, ours: of('usable'), unit: 'ms' },
    )
  }
  await close()
  return figures
}

interface Load {
  readonly requests: number
  readonly wire: number
  readonly plain: number
  /** Since the navigation, in milliseconds. */
  readonly painted: number
  readonly usable: number
}

/** Runs in a page before its scripts: the end of the first frame in which the selector is there, and nothing else runs. */
const noteUsable = (selector: string): string => `(() => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(selector)})) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now() }))
  }).observe(document, { subtree: true, childList: true })
})()`

async function loadCold(context: BrowserContext, path: string, control: string): Promise<Load> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  let requests = 0
  let wire = 0
  let plain = 0
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (/^https?:/.test(request.url)) requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire += encodedDataLength
  })
  session.on('Network.dataReceived', ({ dataLength }) => {
    plain += dataLength
  })
  await session.send('Network.enable')
  await page.addInitScript(noteUsable(control))
  await page.goto(path)
  await until(page, "typeof usableAt === 'number'")
  // What is loaded beside the screen belongs to the first load.
  await page.waitForTimeout(1_500)
  const { painted, usable } = (await page.evaluate(
    "({ painted: performance.getEntriesByName('first-contentful-paint')[0].startTime, usable: usableAt })",
  )) as { painted: number; usable: number }
  return { requests, wire, plain, painted, usable }
}

/** Asks from outside: the policy of the console forbids code that is made from text. */
async function until(page: Page, condition: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await page.evaluate(condition)); await page.waitForTimeout(20))
    if (Date.now() > end) throw new Error(`Not within a minute: ${condition}`)
}

async function longChats(service: ServiceProcess): Promise<readonly Figure[]> {
  const { page, context, open, close } = await openPage(service, { credentials: ada })
  const id = await importChat(page, longChat, (index) =>
    index % 2 === 0 ? `Message number ${index}` : `Message number ${index}\n\n${mixedMarkdown(40)}`,
  )
  const session = await context.newCDPSession(page)
  const newest = page.getByText(`Message number ${longChat - 1}`)
  const opened: number[] = []
  for (let round = 0; round < loads; round += 1) {
    await open('/')
    const began = performance.now()
    await page.locator(`nav.side a[href="/chats/${id}"]`).click()
    await newest.waitFor()
    opened.push(performance.now() - began)
  }
  await open('/')
  const end = await watch(context, page)
  await page.locator(`nav.side a[href="/chats/${id}"]`).click()
  await newest.waitFor()
  await page.waitForTimeout(500)
  const opening = await end()
  const atEnd = await holds(page, session)
  const endScrolling = await watch(context, page)
  const began = performance.now()
  const pages = await scrollToTop(page)
  const took = performance.now() - began
  const scrolling = await endScrolling()
  const atTop = await holds(page, session)
  await page.getByRole('button', { name: 'Jump to the newest' }).click()
  await page.waitForTimeout(500)
  const back = await holds(page, session)
  await close()
  return [
    { what: 'long chat: from the click to its newest message', ours: median(opened), unit: 'ms' },
    { what: 'long chat: longest task of opening, processor', ours: opening.longestTaskCpuMs, unit: 'ms' },
    ...memoryFigures('opened', atEnd),
    { what: 'long chat: to its first message', ours: took / 1_000, unit: 's' },
    { what: 'long chat: steps of scrolling there', ours: pages, unit: '' },
    { what: 'long chat: longest task of scrolling, processor', ours: scrolling.longestTaskCpuMs, unit: 'ms' },
    { what: 'long chat: longest task of scrolling, waiting too', ours: Math.max(0, ...scrolling.longTasks), unit: 'ms' },
    ...memoryFigures('at its first message', atTop),
    ...memoryFigures('back at the end', back),
  ]
}

async function watch(context: BrowserContext, page: Page): ReturnType<typeof watchTasks> {
  const browser = context.browser()
  if (!browser) throw new Error('There is no browser.')
  return watchTasks(browser, page)
}

interface Holds {
  readonly turns: number
  readonly shown: number
  readonly nodes: number
  readonly heapMiB: number
}

async function holds(page: Page, session: CDPSession): Promise<Holds> {
  const { nodes, heapMiB } = await measureMemory(session)
  return { nodes, heapMiB, turns: await page.locator('.turn').count(), shown: await page.locator('.turn:has(*)').count() }
}

const memoryFigures = (when: string, { turns, shown, nodes, heapMiB }: Holds): readonly Figure[] => [
  { what: `long chat, ${when}: turns in the page`, ours: turns, unit: '' },
  { what: `long chat, ${when}: turns that are made`, ours: shown, unit: '' },
  { what: `long chat, ${when}: nodes in the page`, ours: nodes, unit: '' },
  { what: `long chat, ${when}: heap`, ours: heapMiB, unit: 'MiB' },
]

/** As with the Home key, again and again, until the first message is there. */
async function scrollToTop(page: Page): Promise<number> {
  const first = page.locator('.turn.you').first().getByText('Message number 0', { exact: true })
  let steps = 0
  while ((await first.count()) === 0) {
    steps += 1
    if (steps > 1_000) throw new Error('The first message is not reached in 1,000 steps.')
    const before = await page.locator('.turn').count()
    await page.evaluate("(() => { const scroll = document.querySelector('.chat-scroll'); scroll.scrollTop = -scroll.scrollHeight })()")
    await until(page, `document.querySelectorAll('.turn').length !== ${before} || document.querySelector('.chat-scroll .more') === null`)
  }
  return steps
}

/** Runs in a page: the time from each key to the frame that shows it. */
const noteKeys = `(() => {
  window.keyDelays = []
  addEventListener('keydown', ({ timeStamp }) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => window.keyDelays.push(performance.now() - timeStamp)
    requestAnimationFrame(() => channel.port2.postMessage(0))
  }, true)
})()`

async function fastAnswer(service: ServiceProcess, tokens: number): Promise<readonly Figure[]> {
  const { page, context, open, close } = await openPage(service, { credentials: ada })
  const id = await importChat(page, 100, (index) => `Message number ${index}`)
  await page.addInitScript(noteKeys)
  await open(`/chats/${id}`)
  const end = await watch(context, page)
  await write(page, 'Talk')
  await page.locator('.caret').waitFor()
  const began = performance.now()
  const over = page
    .locator('.caret')
    .waitFor({ state: 'detached', timeout: 120_000 })
    .then(() => performance.now() - began)
  let ended = false
  void over.then(() => {
    ended = true
  })
  while (!ended) await messageField(page).pressSequentially('typing in the meantime ', { delay: 40 })
  const took = await over
  await untilQuiet(page)
  const tasks = await end()
  const delays = (await page.evaluate('window.keyDelays')) as number[]
  const grown = await answerMarkup(page)
  await page.reload()
  await page.locator('.turn.agent .prose p').last().waitFor()
  await page.waitForTimeout(1_000)
  const once = await answerMarkup(page)
  await close()
  const sorted = delays.sort((one, other) => one - other)
  return [
    { what: 'fast answer: tokens a second', ours: (tokens / took) * 1_000, unit: '' },
    { what: 'fast answer: longest task, processor', ours: tasks.longestTaskCpuMs, unit: 'ms' },
    { what: 'fast answer: tasks over 50 ms, waiting too', ours: tasks.longTasks.length, unit: '' },
    { what: 'fast answer: frames a second', ours: (tasks.frames / took) * 1_000, unit: '' },
    { what: 'fast answer: longest pause between frames', ours: tasks.longestFrameMs, unit: 'ms' },
    { what: 'fast answer: keys typed meanwhile', ours: delays.length, unit: '' },
    { what: 'fast answer: a key until it is shown, p50', ours: median(delays), unit: 'ms' },
    { what: 'fast answer: a key until it is shown, p99', ours: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN, unit: 'ms' },
    {
      what: 'fast answer: letters of its markup',
      ours: grown.length,
      unit: '',
      aim: { text: 'the same as rendered once', met: grown === once },
    },
  ]
}

const answerMarkup = (page: Page): Promise<string> => page.locator('.turn.agent .prose').last().innerHTML()

/** As many tokens of paragraphs, lists, code, tables and formulas. */
function mixedMarkdown(count: number): string {
  const words = Array.from({ length: count }, (_, index) => `word${index}`)
  const blocks: string[] = []
  for (let at = 0; at < words.length; at += 40) {
    const part = words.slice(at, at + 40)
    const half = part.length >> 1
    blocks.push(
      [
        () => `## Heading ${at}\n\n${part.slice(0, half).join(' ')} **${part.slice(half).join(' ')}**`,
        () => `- ${part.slice(0, half).join(' ')}\n- \`${part.slice(half).join(' ')}\``,
        () => `\`\`\`ts\n${part.map((word) => `const ${word} = '${word}'`).join('\n')}\n\`\`\``,
        () => `| One | Two |\n| --- | --- |\n| ${part.slice(0, half).join(' ')} | ${part.slice(half).join(' ')} |`,
        () => `With $x_{${at}}^2 + y$ and:\n\n$$\n\\frac{${at}}{\\sqrt{x}} = \\sum_{i=0}^{n} i\n$$\n\n${part.join(' ')}`,
      ][(at / 40) % 5]?.() ?? '',
    )
  }
  return blocks.join('\n\n')
}
