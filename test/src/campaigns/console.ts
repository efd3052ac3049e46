import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../console/open-page.js'
import { answersOn, callAs, importChat, newChat, saidOn, storedMessages, textOf, untilQuiet, write } from '../console/support/chat-page.js'
import { demoNotice, type ScriptedModel, startScriptedService } from '../console/support/scripted-service.js'
import { createRandom, type Random } from '../support/random.js'
import { removeFolder, type ServiceProcess } from '../support/service-process.js'
import type { CampaignOptions } from './index.js'
import { measureMemory, type PageMemory, watchTasks } from './support/console/page-figures.js'
import { median, thirds } from './support/delay-figures.js'

const ada = { username: 'ada', password: 'a long enough password' }
const maxTaskMs = 100
/** Tokens of an hour at 50 a second. */
const tokensOfHour = 50 * 3_600
const wordsOfAnswer = 600
/** Answers in one chat: few enough for a model's window. Another chat follows on the same page. */
const answersOfChat = 15
const streamSeconds = 60

/**
 * The console in Chromium beside a real service, for long: 200 tokens a second for a minute, an hour
 * of streaming at full speed, and answers that are interrupted by kills, lost networks and ended
 * sessions. Prints figures; throws when a text is lost or doubled, a task of the page takes over
 * 100 ms of the processor, or its memory grows.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<void> {
  const random = createRandom(seed)
  try {
    await opensLongChats(full ? 10 : 2, print)
    await streamsFast(full ? streamSeconds : 3, print)
    await survives(full ? 20 : 2, random, print)
    await staysFlat(full ? tokensOfHour / wordsOfAnswer : 2 * answersOfChat, print)
  } finally {
    await closeBrowser()
  }
}

type Print = CampaignOptions['print']

async function withService<Result>(model: ScriptedModel, work: (service: ServiceProcess) => Promise<Result>): Promise<Result> {
  const service = await startScriptedService(model)
  try {
    return await work(service)
  } finally {
    await service.stop()
    await removeFolder(service.folder)
  }
}

/** From the click on a chat of 2,000 messages, or its address, to its newest message. */
async function opensLongChats(rounds: number, print: Print): Promise<void> {
  await withService({ reply: 'Yes.', wordDelayMs: 0 }, async (service) => {
    const { page, open, close } = await openPage(service, { credentials: ada })
    const id = await importChat(page, 2_000, (index) => `Message number ${index}, with **some** Markdown.\n\n- and\n- a list`)
    const shown = page.locator('.turn').last().getByText('Message number 1999')
    const clicked: number[] = []
    const loaded: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await open('/components')
      const began = performance.now()
      await page.locator(`nav.side a[href="/chats/${id}"]`).click()
      await shown.waitFor()
      clicked.push(performance.now() - began)
      const reloaded = performance.now()
      await page.goto(`/chats/${id}`)
      await shown.waitFor()
      loaded.push(performance.now() - reloaded)
    }
    print(`a chat of 2,000 messages, from the click: ${spread(clicked)}; from its address: ${spread(loaded)}`)
    await close()
  })
}

/** An answer at 200 tokens a second. */
async function streamsFast(seconds: number, print: Print): Promise<void> {
  const reply = markdownOf(seconds * 200)
  await withService({ reply, wordDelayMs: 2 }, async (service) => {
    const { page, context, open, close } = await openPage(service, { credentials: ada })
    const chatId = await importChat(page, 100, (index) => `Message number ${index}`)
    await open(`/chats/${chatId}`)
    const session = await context.newCDPSession(page)
    const before = await measureMemory(session)
    const browser = context.browser()
    if (!browser) throw new Error('There is no browser.')
    const end = await watchTasks(browser, page)
    const began = performance.now()
    await write(page, 'Talk for a minute')
    await page.locator('.caret').waitFor()
    await page.locator('.caret').waitFor({ state: 'detached', timeout: seconds * 4_000 })
    const took = (performance.now() - began) / 1_000
    const { longTasks, longestTaskCpuMs, frames, longestFrameMs } = await end()
    const after = await measureMemory(session)
    const stored = textOf((await storedMessages(page, chatId)).at(-1))
    print(
      `${Math.round((seconds * 200) / took)} tokens a second for ${took.toFixed(1)} s: at most ${longestTaskCpuMs.toFixed(0)} ms of processor time in a task; ${longTasks.length} tasks over 50 ms of time, waiting for a processor included, at most ${Math.max(0, ...longTasks).toFixed(0)} ms; ${frames} frames, at most ${longestFrameMs.toFixed(0)} ms apart; heap ${before.heapMiB.toFixed(1)} to ${after.heapMiB.toFixed(1)} MiB`,
    )
    if (stored !== `${reply} ${demoNotice}`) throw new Error('The stored answer is not what the model said.')
    const words = (await answersOn(page)).at(-1)?.match(/word\d+/g) ?? []
    if (words.join() !== (reply.match(/word\d+/g) ?? []).join()) throw new Error('The answer on the page is not what the model said.')
    if (longestTaskCpuMs > maxTaskMs)
      throw new Error(`A task of the page took ${longestTaskCpuMs.toFixed(0)} ms of the processor; at most ${maxTaskMs} ms are allowed.`)
    await close()
  })
}

/** Messages and answers while the service is killed, the network goes and sessions end. */
async function survives(rounds: number, random: Random, print: Print): Promise<void> {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`)
  const model = { reply: `{message}: ${words.join(' ')}`, wordDelayMs: 15 }
  let service = await startScriptedService(model)
  try {
    const { page, context, open, close } = await openPage(service, { credentials: ada })
    const disturb = {
      kill: async () => {
        await service.kill()
        service = await startScriptedService(model, service)
      },
      offline: async () => {
        await context.setOffline(true)
        await page.waitForTimeout(random.between(0, 3_000))
        await context.setOffline(false)
      },
      expire: async () => {
        await page.evaluate("fetch('/api/auth/logout', { method: 'POST' }).then(({ status }) => status)")
        const dialog = page.getByRole('dialog', { name: 'Sign in again' })
        await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
      },
    } as const
    for (const [kind, happen] of Object.entries(disturb)) {
      const took: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const chatId = await newChat(page)
        await open(`/chats/${chatId}`)
        await write(page, 'first')
        await page
          .getByText(`word${random.between(0, 50)} `)
          .first()
          .waitFor()
        if (random.next() < 0.5) await write(page, 'second')
        const began = performance.now()
        await happen()
        await write(page, 'third')
        await page.locator('.turn.agent').last().getByText('third: word0').waitFor({ timeout: 60_000 })
        await quiet(page)
        took.push(performance.now() - began)
        await compare(page, chatId, words)
      }
      print(`${rounds} times “${kind}” in the middle of an answer: nothing lost, nothing doubled; quiet again after ${spread(took)}`)
    }
    await close()
  } finally {
    await service.stop()
    await removeFolder(service.folder)
  }
}

async function quiet(page: Page): Promise<void> {
  try {
    await untilQuiet(page)
  } catch (cause) {
    const waiting = await page.locator('.turn.pending').allInnerTexts()
    throw new Error(`The page is not quiet. On their way: ${JSON.stringify(waiting)}`, { cause })
  }
}

/** The page shows what is stored: each message of the person once, and only whole answers. */
async function compare(page: Page, chatId: string, words: readonly string[]): Promise<void> {
  const stored = await storedMessages(page, chatId)
  const textsOf = (wanted: string): readonly string[] => stored.filter(({ role }) => role === wanted).map(textOf)
  const same = (what: string, shown: readonly string[], expected: readonly string[]): void => {
    if (shown.join('\n') !== expected.join('\n'))
      throw new Error(`The page has the ${what}:\n${shown.join('\n')}\nThe service has:\n${expected.join('\n')}`)
  }
  const said = await saidOn(page)
  same('messages', said, textsOf('user'))
  if (new Set(said).size < said.length) throw new Error(`A message is there twice: ${said.join(', ')}`)
  const answers = await answersOn(page)
  same('answers', answers, textsOf('assistant'))
  // Messages that wait together are answered together.
  for (const answer of answers)
    if (!said.some((text) => answer === `${text}: ${words.join(' ')} ${demoNotice}`)) throw new Error(`This is no whole answer: ${answer}`)
  if (new Set(answers).size < answers.length) throw new Error(`An answer is there twice:\n${answers.join('\n')}`)
}

/** As many tokens as an hour has, as fast as they come, in one chat after the other. */
async function staysFlat(rounds: number, print: Print): Promise<void> {
  const reply = `${markdownOf(wordsOfAnswer)}\n\nEnd of {message}`
  await withService({ reply, wordDelayMs: 0 }, async (service) => {
    const { page, context, open, close } = await openPage(service, { credentials: ada, at: 'none' })
    await open('/')
    const session = await context.newCDPSession(page)
    const figures: PageMemory[] = []
    for (let round = 0; round < rounds; round += 1) {
      if (round % answersOfChat === 0) await beginChat(page, `Chat from round ${round}`)
      await write(page, `round ${round}.`)
      await page.locator('.turn.agent').last().getByText(`End of round ${round}.`).waitFor({ timeout: 60_000 })
      await untilQuiet(page)
      // Always in the same state, at the end of a chat; the first one warms the page up.
      if ((round + 1) % answersOfChat > 0 || round < answersOfChat) continue
      const memory = await measureMemory(session)
      figures.push(memory)
      print(`after ${(((round + 1) * wordsOfAnswer) / 50 / 60).toFixed(0)} minutes of streaming: ${described(memory)}`)
    }
    const problem = growthOf(figures)
    if (problem !== undefined) throw new Error(problem)
    await close()
  })
}

/** Makes a chat and goes there without leaving the page. */
async function beginChat(page: Page, title: string): Promise<void> {
  const chatId = await newChat(page)
  // A chat is listed once something of it has changed.
  await callAs(page, 'PATCH', `/api/chats/${chatId}`, { title })
  await page.locator(`nav.side a[href="/chats/${chatId}"]`).click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

const described = (memory: PageMemory): string => `${memory.heapMiB.toFixed(1)} MiB, ${memory.nodes} nodes, ${memory.listeners} listeners`

/** Says so when the median of the last third is more than a tenth, and 1 MiB, above that of the first. */
function growthOf(figures: readonly PageMemory[]): string | undefined {
  const { first, last } = thirds(figures)
  for (const [name, slack] of [
    ['heapMiB', 1],
    ['nodes', 200],
    ['listeners', 50],
  ] as const) {
    const before = median(first.map((memory) => memory[name]))
    const after = median(last.map((memory) => memory[name]))
    if (after > before * 1.1 + slack)
      return `The page’s ${name} grew from ${before.toFixed(1)} in the first third to ${after.toFixed(1)} in the last.`
  }
  return undefined
}

/** Paragraphs, lists and code of as many words. */
function markdownOf(count: number): string {
  const words = Array.from({ length: count }, (_, index) => `word${index}`)
  const blocks: string[] = []
  for (let at = 0; at < words.length; at += 60) {
    const part = words.slice(at, at + 60)
    const kind = (at / 60) % 4
    if (kind === 1) blocks.push(`- ${part.slice(0, 30).join(' ')}\n- ${part.slice(30).join(' ')}`)
    else if (kind === 2) blocks.push(`\`\`\`ts\n${part.join(' ')}\n\`\`\``)
    else blocks.push(part.join(' '))
  }
  return blocks.join('\n\n')
}

const spread = (times: readonly number[]): string => `${median(times).toFixed(0)} ms (at most ${Math.max(...times).toFixed(0)} ms)`
