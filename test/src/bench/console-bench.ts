import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { closeBrowser, openPage } from '../console/open-page.js'
import { importChat, messageField, newChat } from '../console/support/chat-page.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { startChild } from './child.js'
import { type Figure, median } from './figures.js'

const loads = 20
const answers = 6
const ada = { username: 'ada', password: 'a long enough password' }

/**
 * Runs in a page before its scripts. `paintedAt`: when a selector was first painted. `delays`: from
 * the moment that a word names to the end of the frame in which it is shown.
 */
const measuring = `(() => {
  const now = () => performance.timeOrigin + performance.now()
  const channel = new MessageChannel()
  const waiting = []
  let inFrame = false
  channel.port1.onmessage = () => {
    inFrame = false
    for (const done of waiting.splice(0)) done(now())
  }
  const frame = () => {
    inFrame = true
    if (waiting.length > 0) channel.port2.postMessage(0)
    else channel.port2.postMessage(1)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const afterPaint = (done) => {
    waiting.push(done)
    if (inFrame) channel.port2.postMessage(2)
  }
  window.delays = []
  const seen = new Set()
  const look = (text) => {
    const fresh = [...text.matchAll(/‹(\\d+\\.\\d)›/g)].map(([, moment]) => Number(moment)).filter((moment) => !seen.has(moment))
    for (const moment of fresh) seen.add(moment)
    if (fresh.length > 0) afterPaint((at) => window.delays.push(...fresh.map((moment) => at - moment)))
  }
  const selector = '.turn .prose, .turn .chat-said, #text'
  new MutationObserver((records) => {
    if (window.paintedAt === undefined && document.querySelector(selector)) {
      window.paintedAt = null
      afterPaint((at) => { window.paintedAt = at - performance.timeOrigin })
    }
    for (const { type, target, oldValue } of records)
      if (type === 'characterData') look(target.data.slice(oldValue.length))
  }).observe(document, { subtree: true, childList: true, characterData: true, characterDataOldValue: true })
})()`

/**
 * A chat on a cold load, and a model's word until it is on the screen, beside a bare page of
 * `node:http` whose text node grows with an EventSource.
 */
export async function benchConsole(print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startChild('./console-upstream.js')
  const bare = new URL('/', upstream.url).href
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-'))
  await writeConfiguration(folder, upstream.url)
  const service = await startServiceProcess({ folder, environment: { UPSTREAM_KEY: 'bench-key-0123456789' } })
  try {
    const { page, context, close } = await openPage(service, { credentials: ada })
    const address = `${service.url}/chats/${await importChat(page, 50, (index) => `Message number ${index}`)}`
    const cold = { ours: [] as LoadTimes[], bare: [] as LoadTimes[] }
    print(`  loading each page ${loads} times without a cache`)
    for (let round = 0; round < loads; round += 1) {
      cold.ours.push(await loadCold(context, address))
      cold.bare.push(await loadCold(context, bare))
    }

    print(`  following ${answers} answers in each page, one after the other`)
    const chat = await prepare(context, `${service.url}/chats/${await newChat(page)}`)
    const plain = await prepare(context, bare)
    const delays = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round <= answers; round += 1) {
      await chat.bringToFront()
      await messageField(chat).fill('Say something.')
      await messageField(chat).press('Enter')
      const ours = await delaysOf(chat)
      await plain.bringToFront()
      await plain.evaluate('ask()')
      const others = await delaysOf(plain)
      // The first answer warms both up.
      if (round === 0) continue
      delays.ours.push(...ours)
      delays.bare.push(...others)
    }
    await close()
    const beside = 'bare page of node:http'
    const figure = (what: string, ours: number, theirs: number): Figure => ({
      what,
      ours,
      unit: 'ms',
      baseline: { name: beside, value: theirs },
    })
    const times = (kind: keyof LoadTimes, side: 'ours' | 'bare') => cold[side].map((load) => load[kind])
    return [
      ...(
        [
          ['p50', 0.5],
          ['p99', 0.99],
        ] as const
      ).flatMap(([name, share]) => [
        figure(
          `cold load, first contentful paint, ${name}`,
          quantile(times('first', 'ours'), share),
          quantile(times('first', 'bare'), share),
        ),
        figure(`cold load, texts painted, ${name}`, quantile(times('texts', 'ours'), share), quantile(times('texts', 'bare'), share)),
      ]),
      figure('a word, from the model to the pixel, p50', median(delays.ours), median(delays.bare)),
      figure('a word, from the model to the pixel, p99', quantile(delays.ours, 0.99), quantile(delays.bare, 0.99)),
      { what: 'words followed', ours: delays.ours.length, unit: '', baseline: { name: beside, value: delays.bare.length } },
    ]
  } finally {
    await closeBrowser()
    await service.stop()
    await upstream.stop()
    await removeFolder(folder)
  }
}

/** Since the navigation, in milliseconds. */
interface LoadTimes {
  readonly first: number
  readonly texts: number
}

/** In a context of its own with the same session. */
async function loadCold(signedIn: BrowserContext, address: string): Promise<LoadTimes> {
  const context = await signedIn
    .browser()
    ?.newContext({ storageState: await signedIn.storageState(), viewport: { width: 1440, height: 900 } })
  if (!context) throw new Error('There is no browser.')
  try {
    const page = await prepare(context, address)
    await until(page, "typeof paintedAt === 'number' && performance.getEntriesByName('first-contentful-paint').length > 0")
    return (await page.evaluate(
      "({ first: performance.getEntriesByName('first-contentful-paint')[0].startTime, texts: paintedAt })",
    )) as LoadTimes
  } finally {
    await context.close()
  }
}

async function prepare(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(measuring)
  await page.goto(address)
  return page
}

/** Asks from outside: the policy of the console forbids code that is made from text. */
async function until(page: Page, condition: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await page.evaluate(condition)); await setTimeout(50))
    if (Date.now() > end) throw new Error(`Not within a minute: ${condition}`)
}

/** All delays of the answer that has just begun. */
async function delaysOf(page: Page): Promise<readonly number[]> {
  await until(page, 'delays.length >= 150')
  return (await page.evaluate('delays.splice(0)')) as readonly number[]
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
