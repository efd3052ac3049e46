import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeConfiguration } from '../support/configuration.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { createDelayFigures, growth, median, thirds } from './support/delay-figures.js'
import { createFollower, type FollowedEvent } from './support/follower.js'
import { newChat, type Person, post, signUpPerson } from './support/person.js'
import { watchProcess } from './support/process-figures.js'
import { type ServiceLife, startLife } from './support/service-life.js'
import { momentsIn, startTimedModel } from './support/timed-model.js'

const streamsOfPerson = 10
const runsOfPerson = 2
/** How long a new process needs until its memory is representative, in seconds. */
const warmUpSeconds = 20

/**
 * The measurements. Delays are from the model's sending of a word to its arrival at a stream, in
 * milliseconds.
 */
export interface ManyStreamsOutcome {
  readonly streams: number
  readonly events: number
  readonly p50: number
  readonly p99: number
  /** The same for the last third of the time. */
  readonly lastP50: number
  readonly lastP99: number
  /** Resident memory of the service, in MiB: medians of the first and the last third. */
  readonly memory: { readonly first: number; readonly last: number }
  readonly cpuPercent: number
}

/** One stream of a person, with its events. */
interface Listening {
  words: number
  ends: number
}

/**
 * Many people with ten open streams and two runs each, for a given time: measures the delay of
 * words and the cost of the service. Each stream must get the same events as the person's others,
 * and memory must stay flat.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<ManyStreamsOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const people = full ? 100 : 5
  const model = await startTimedModel({ everyMs: 250, words: full ? 80 : 8 })
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-streams-'))
  const problems: string[] = []
  let life: ServiceLife | undefined
  try {
    await writeConfiguration(folder, model.url)
    life = startLife({ folder })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    const { pid } = life.child
    if (pid === undefined) throw new Error('The service has no process.')

    const all = createDelayFigures()
    const parts = [createDelayFigures(), createDelayFigures(), createDelayFigures()] as const
    let measuringFrom = Number.POSITIVE_INFINITY
    let over = false
    const measure = (moment: number): void => {
      const now = performance.now()
      if (now < measuringFrom) return
      const part = parts[Math.min(2, Math.floor(((now - measuringFrom) / (seconds * 1_000)) * 3))]
      all.add(now - moment)
      part?.add(now - moment)
    }

    const talk = async (person: Person): Promise<() => Promise<void>> => {
      const listening: Listening[] = []
      const waiting = new Map<string, () => void>()
      let told = 0
      const followers = Array.from({ length: streamsOfPerson }, (_, index) => {
        const own: Listening = { words: 0, ends: 0 }
        listening.push(own)
        return createFollower({
          name: `${person.username}, stream ${index}`,
          token: person.token,
          problems,
          onReset: (id) => problems.push(`${person.username}, stream ${index}: a reset at ${id}`),
          onEvent(event: FollowedEvent) {
            if (event.name === 'text.delta') {
              for (const moment of momentsIn(String(event.data['text']))) {
                own.words += 1
                measure(moment)
              }
            }
            if (!/^run\.(completed|failed|cancelled)$/.test(event.name)) return
            own.ends += 1
            if (event.name !== 'run.completed') problems.push(`${person.username}: ${event.name}: ${JSON.stringify(event.data['failure'])}`)
            if (index === 0) waiting.get(String(event.data['chat_id']))?.()
          },
        })
      })
      for (const follower of followers) await follower.connect(url)
      for (const follower of followers)
        void follower.ended().then(() => over || problems.push(`${person.username}: a stream ended by itself`))
      const talkOn = async (): Promise<void> => {
        const chatId = await newChat(url, person)
        await setTimeout(random.between(0, 2_000))
        while (!over) {
          const ended = new Promise<void>((resolve) => waiting.set(chatId, resolve))
          await post(url, person, chatId, 'Tell me the time, again and again.')
          await ended
          told += 1
        }
      }
      const talks = Array.from({ length: runsOfPerson }, () =>
        talkOn().catch((error: unknown) => void problems.push(`${person.username}: ${String(error)}`)),
      )
      return async () => {
        await Promise.all(talks)
        // Not every stream has the last event at the same moment.
        for (const end = Date.now() + 10_000; listening.some(({ ends }) => ends < told) && Date.now() < end; ) await setTimeout(20)
        for (const follower of followers) follower.drop()
        if (new Set(listening.map(({ words, ends }) => `${words} words, ${ends} ends`)).size > 1)
          problems.push(`the streams of ${person.username} got ${listening.map(({ words, ends }) => `${words}/${ends}`).join(', ')}`)
      }
    }

    const endings: (() => Promise<void>)[] = []
    for (let person = 0; person < people; person += 1) endings.push(await talk(await signUpPerson(url, `person-${person}`)))
    print(`${people} people, ${people * streamsOfPerson} streams, ${people * runsOfPerson} runs at a time`)
    if (full) await setTimeout(warmUpSeconds * 1_000)
    const figures = await watchProcess(pid)
    measuringFrom = performance.now()
    for (let passed = 0; passed < seconds; passed += 1) {
      await setTimeout(1_000)
      if (passed % 30 === 29)
        print(
          `p50 ${all.quantile(0.5).toFixed(1)} ms, p99 ${all.quantile(0.99).toFixed(1)} ms, ${(figures.memory.at(-1) ?? 0).toFixed(0)} MiB`,
        )
    }
    const cpuPercent = await figures.cpuPercent()
    figures.stop()
    const events = all.count()
    over = true
    await Promise.all(endings.map((end) => end()))

    const grown = full ? growth(figures.memory) : undefined
    if (grown !== undefined) problems.push(grown)
    problems.push(...life.errors)
    const { first, last } = thirds(figures.memory)
    const outcome: ManyStreamsOutcome = {
      streams: people * streamsOfPerson,
      events,
      p50: all.quantile(0.5),
      p99: all.quantile(0.99),
      lastP50: parts[2].quantile(0.5),
      lastP99: parts[2].quantile(0.99),
      memory: { first: median(first), last: median(last) },
      cpuPercent,
    }
    print(
      `${events} words in ${seconds} s: p50 ${outcome.p50.toFixed(1)} ms, p99 ${outcome.p99.toFixed(1)} ms ` +
        `(by thirds: ${parts.map((part) => `${part.quantile(0.5).toFixed(1)}/${part.quantile(0.99).toFixed(1)}`).join(', ')})`,
    )
    print(
      `memory ${outcome.memory.first.toFixed(0)} MiB in the first third, ${outcome.memory.last.toFixed(0)} MiB in the last; ${cpuPercent.toFixed(0)} % of a core`,
    )
    if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`)
    return outcome
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}
