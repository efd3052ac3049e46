import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { createRandom, type Random } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { type Person, signUpPerson } from './support/person.js'
import { type ServiceLife, startLife } from './support/service-life.js'
import { type Stories, startStories } from './support/stories.js'
import { startStoryModel } from './support/story-model.js'
import { createDeltaCheck, disagreements, textProblems } from './support/stream-evidence.js'
import { createTab, type Tab } from './support/tab.js'

/** The result of the campaign, which throws on a violation. */
export interface ReconnectingClientsOutcome {
  /** Connections that were broken off while everything is kept. */
  readonly reconnects: number
  /** Connections that were broken off where nothing is kept, each answered by a reset. */
  readonly resets: number
  /** Pages that were opened in the middle of an answer. */
  readonly pages: number
  readonly deltas: number
}

interface Place {
  readonly url: string
  readonly person: Person
  readonly random: Random
  readonly problems: string[]
  readonly print: (line: string) => void
}

/** The number of parallel stories, and the length of each in characters. */
const atOnce = 4
const pagesAtOnce = 15

/**
 * Breaks a tab's connection at random moments of long answers, beside one tab that stays and one
 * that comes and goes by itself: with all events kept, with none kept, and with pages opened in the
 * middle. Each tab shows the stored content, gets every state event once and in order, and has no
 * text in a wrong position.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<ReconnectingClientsOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-reconnecting-'))
  const model = await startStoryModel(random, { pauseMs: 14 })
  const problems: string[] = []
  const length = full ? 2_000 : 700
  let life: ServiceLife | undefined
  const restart = async (keptSeconds: number): Promise<string> => {
    await life?.kill()
    life = startLife({ folder, environment: { ...fewPlugins(), SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: String(keptSeconds) } })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    return url
  }
  try {
    await writeConfiguration(folder, model.url)
    let url = await restart(600)
    const person = await signUpPerson(url, 'ada')
    const place = (): Place => ({ url, person, random, problems, print })
    const short = Math.max(10, Math.floor(seconds * 3))

    const kept = await breakOff(place(), { times: full ? 500 : short, length })
    const pages = await openPages(place(), { times: full ? 200 : 10, length })
    url = await restart(0)
    const resets = await breakOffUnkept(place(), { times: full ? 200 : 10, length })
    const old = kept.lastId
    url = await restart(600)
    await comeBackWithOldIds(place(), [old, old + 2 ** 40])
    problems.push(...(life?.errors ?? []))
    if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`)
    return { reconnects: kept.times, resets, pages, deltas: kept.deltas }
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Everything is kept: no reset, and the state events of all tabs agree. */
async function breakOff(place: Place, { times, length }: { readonly times: number; readonly length: number }) {
  const { url, person, random, problems, print } = place
  let stories: Stories | undefined
  const checks = ['the tab that is broken off', 'the tab that stays', 'the tab that comes and goes'].map(createDeltaCheck)
  const [broken, stays] = checks.slice(0, 2).map((check, index) =>
    createTab({
      name: index === 0 ? 'the tab that is broken off' : 'the tab that stays',
      person,
      problems,
      onEvent(event) {
        check.see(event)
        if (index === 1) stories?.see(event)
      },
    }),
  ) as [Tab, Tab]
  const wanders = createTab({ name: 'the tab that comes and goes', person, problems, onEvent: (event) => checks[2]?.see(event) })
  for (const tab of [broken, stays, wanders]) await tab.connect(url)

  stories = await startStories({ url, person, name: 'kept', atOnce, length })
  // Without an id there is nothing to resume from.
  await until(() => [broken, wanders].every((tab) => tab.lastId() !== undefined))
  let over = false
  const wandering = (async (): Promise<void> => {
    while (!over) {
      await setTimeout(random.between(100, 1_500))
      await breakOnce(wanders, url, random)
    }
  })()
  for (let time = 0; time < times; time += 1) {
    await setTimeout(random.between(2, 150))
    await breakOnce(broken, url, random)
  }
  await stories.finish()
  over = true
  await wandering

  const tabs = new Map([
    ['the tab that is broken off', broken],
    ['the tab that stays', stays],
    ['the tab that comes and goes', wanders],
  ])
  await caughtUp([...tabs.values()], stays)
  const storyOf = (runId: string) => stories?.begun.find((story) => story.runId === runId)?.text
  problems.push(...checks.flatMap((check) => check.problems(storyOf)))
  problems.push(...disagreements('the tab that is broken off', broken.states, stays.states))
  problems.push(...disagreements('the tab that comes and goes', wanders.states, stays.states))
  problems.push(...(await textProblems(url, person, stories.begun, tabs)))
  const deltas = checks.reduce((sum, check) => sum + check.count(), 0)
  const gaps = [...tabs.values()].reduce((sum, tab) => sum + tab.counts().gaps, 0)
  print(
    `${times} times broken off in ${stories.begun.length} answers: ${stays.states.length} state events, ${deltas} deltas in three tabs, ${gaps} gaps that were read again`,
  )
  const lastId = stays.lastId() ?? 0
  for (const tab of tabs.values()) tab.drop()
  return { times, deltas, lastId }
}

/**
 * Pages are read while answers grow, and followed from there: no gap at all. As many at once as a
 * person may have streams, the tab that stays apart.
 */
async function openPages(place: Place, { times, length }: { readonly times: number; readonly length: number }): Promise<number> {
  let opened = 0
  for (let left = times; left > 0; left -= pagesAtOnce) opened += await openSomePages(place, { times: Math.min(left, pagesAtOnce), length })
  return opened
}

async function openSomePages(place: Place, { times, length }: { readonly times: number; readonly length: number }): Promise<number> {
  const { url, person, random, problems, print } = place
  let stories: Stories | undefined
  const stays = createTab({ name: 'the tab that stays', person, problems, onEvent: (event) => stories?.see(event) })
  await stays.connect(url)
  stories = await startStories({ url, person, name: 'pages', atOnce, length })
  const pages: { readonly tab: Tab; readonly check: ReturnType<typeof createDeltaCheck>; readonly runId: string }[] = []
  for (let time = 0; time < times; time += 1) {
    await setTimeout(random.between(2, 120))
    const going = stories.going()
    if (going.length === 0) continue
    const { chatId, runId } = random.pick(going)
    const check = createDeltaCheck(`page ${time}`)
    const tab = createTab({ name: `page ${time}`, person, chatId, problems, onEvent: check.see })
    await tab.open(url, chatId)
    pages.push({ tab, check, runId })
  }
  await stories.finish()
  for (const { tab, check, runId } of pages) {
    await caughtUp([tab], stays, tab.states.at(0)?.chatId)
    const story = stories.begun.find((candidate) => candidate.runId === runId)
    problems.push(...check.problems(() => story?.text))
    if (tab.counts().gaps > 0) problems.push(`a page that was opened in the middle had ${tab.counts().gaps} gaps`)
    if (story) problems.push(...(await textProblems(url, person, [story], new Map([['a page that was opened in the middle', tab]]))))
    tab.drop()
  }
  stays.drop()
  print(`${pages.length} pages opened in the middle of ${stories.begun.length} answers`)
  return pages.length
}

/** Nothing is kept: each return is answered by a reset, and the tab reads its chats again. */
async function breakOffUnkept(place: Place, { times, length }: { readonly times: number; readonly length: number }): Promise<number> {
  const { url, person, random, problems, print } = place
  let stories: Stories | undefined
  const stays = createTab({ name: 'the tab that stays', person, problems, onEvent: (event) => stories?.see(event) })
  const check = createDeltaCheck('the tab that is reset')
  const chats = () => stories?.begun.map(({ chatId }) => chatId) ?? []
  const broken = createTab({ name: 'the tab that is reset', person, problems, chats, onEvent: check.see })
  for (const tab of [stays, broken]) await tab.connect(url)
  stories = await startStories({ url, person, name: 'unkept', atOnce, length })
  for (let time = 0; time < times; time += 1) {
    await setTimeout(random.between(2, 150))
    await breakOnce(broken, url, random)
  }
  await stories.finish()
  await breakOnce(broken, url, random)
  await until(() => broken.counts().resets > 0)
  await broken.settled()
  const { resets, gaps } = broken.counts()
  problems.push(...check.problems((runId) => stories?.begun.find((story) => story.runId === runId)?.text))
  problems.push(...(await textProblems(url, person, stories.begun, new Map([['the tab that is reset', broken]]))))
  print(
    `${times} times broken off where nothing is kept, in ${stories.begun.length} answers: ${resets} resets, ${gaps} gaps that were read again`,
  )
  broken.drop()
  stays.drop()
  return resets
}

/**
 * Ids of before everything that is kept, and of after everything that was given out, are answered
 * by a reset.
 */
async function comeBackWithOldIds({ url, person, problems, print }: Place, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const tab = createTab({ name: `the tab that comes back with ${id}`, person, problems, chats: () => [] })
    await tab.connect(url, { after: id })
    if (!(await until(() => tab.counts().resets === 1))) problems.push(`the id ${id} was not answered by a reset`)
    if ((tab.lastId() ?? id) === id) problems.push(`the reset of ${id} does not say where the stream goes on`)
    tab.drop()
  }
  print(`${ids.length} ids without kept events: each was answered by a reset`)
}

async function breakOnce(tab: Tab, url: string, random: Random): Promise<void> {
  if (random.next() < 0.5) await tab.cut(random.next())
  else tab.drop()
  if (random.next() < 0.7) await setTimeout(random.between(0, 120))
  await tab.connect(url)
}

/**
 * Waits until these tabs have seen the last state event of the one that stays, and have read
 * everything again that they had to.
 */
async function caughtUp(tabs: readonly Tab[], reference: Tab, chatId?: string): Promise<void> {
  await setTimeout(0)
  const last = reference.states.filter((state) => chatId === undefined || state.chatId === chatId).at(-1)?.id ?? 0
  await until(() => tabs.every((tab) => (tab.lastId() ?? 0) >= last))
  for (const tab of tabs) await tab.settled()
}

/** Looks every few milliseconds, for 10 s at most. */
async function until(holds: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 10_000; !holds(); await setTimeout(5)) if (Date.now() > end) return false
  return true
}
