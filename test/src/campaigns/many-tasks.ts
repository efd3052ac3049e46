import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

/** What the campaign saw. */
export interface ManyTasksOutcome {
  readonly tasks: number
  /** At work at the same time. */
  readonly most: number
  /** Between users who all had tasks waiting: how many more one has begun than another, at most. */
  readonly unfairness: number
  readonly quarters: readonly Quarter[]
}

/** A quarter of the tasks, by the order of their ends. */
interface Quarter {
  readonly minutes: number
  /** The fewest and the most tasks of a user that began in it. */
  readonly share: readonly [fewest: number, most: number]
  /** MiB: the highest without, and the one at the end after, a full collection. */
  readonly peakHeap: number
  readonly heap: number
  readonly peakRss: number
}

const places = 10
/** How long the first task waits for another one to be at work beside it. */
const togetherMs = 10_000
/** How much more heap the last quarter may keep than the second, in MiB. */
const maxGrowthMiB = 40
/** Users take turns, and tasks take longer or shorter at random: a few are what chance makes of it. */
const maxUnfairness = 5
/** How long the last task may take to end after the one before. */
const stuckMs = 60_000

/**
 * Queues tasks of many users, far more than there are places: 10,000 of 50 at full length, a tenth of
 * them of one user before everyone else's. Never more than the places may be at work, the users take
 * turns, all end, and memory stays flat. @throws with the first violation.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<ManyTasksOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const [users, tasks] = full ? [50, 10_000] : [16, 160]
  const watch = createWatch(tasks)
  setScript({
    // Nobody reads them, and they would be all of the heap.
    requests: Object.assign([], { push: () => 0 }),
    async *answer(request) {
      watch.begins(nameIn(request))
      await setTimeout(random.between(60, 120))
      // Two are at work at once also where the next one takes longer to begin.
      for (const end = Date.now() + togetherMs; watch.most < 2 && Date.now() < end; ) await setTimeout(20)
      watch.ends()
      yield* says('Done.')
    },
  })
  const agents = await startAgentsKernel({
    environment: {
      SERVICE_SERVER_MAX_CONCURRENT_TASKS: String(places),
      SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'feature-tasks': { max_concurrent_per_agent: places } }),
    },
  })
  try {
    const people = new Map<string, Person>()
    for (let user = 1; user <= users; user += 1) people.set(`user${user}`, await personWith(agents, `user${user}`))
    await queueAll(people, tasks, watch, print)
    await watch.allEnded()
    await allCompleted([...people.values()], tasks)
    const { most, unfairness } = watch
    const quarters = watch.quarters()
    for (const [index, quarter] of quarters.entries()) print(`quarter ${index + 1}: ${textOf(quarter)}`)
    print(`${tasks} tasks of ${users} users ended; at most ${most} at work; users with tasks waiting were ${unfairness} apart at most`)
    if (most > places) throw new Error(`${most} tasks were at work; there are ${places} places.`)
    if (unfairness > maxUnfairness) throw new Error(`One user had ${unfairness} tasks more than another who had tasks waiting.`)
    const growth = (quarters[3]?.heap ?? 0) - (quarters[1]?.heap ?? 0)
    if (full && growth > maxGrowthMiB) throw new Error(`The heap grew by ${growth} MiB from the second quarter to the last.`)
    return { tasks, most, unfairness, quarters }
  } finally {
    watch.close()
    await agents.close()
  }
}

/** What the model sees of the tasks. */
interface Watch {
  readonly most: number
  readonly unfairness: number
  begins(user: string): void
  ends(): void
  /** So many tasks of a user are in the queue. */
  queued(user: string, count: number): void
  /** From now on everyone has all of their tasks in the queue, so it can be seen who waits. */
  allQueued(): void
  /** @throws when none has ended for a minute. */
  allEnded(): Promise<void>
  quarters(): readonly Quarter[]
  close(): void
}

function createWatch(tasks: number): Watch {
  const collect = collector()
  const startedAt = performance.now()
  const waiting = new Map<string, number>()
  /** Of each user since all were queued; one whose queue is empty is no longer compared. */
  const turns = new Map<string, number>()
  const quarters: Quarter[] = []
  let shares = new Map<string, number>()
  let [atWork, most, ended, unfairness, peakHeap, peakRss, endedAt] = [0, 0, 0, 0, 0, 0, 0]
  let isAllQueued = false
  const sample = (): void => {
    const { heapUsed, rss } = process.memoryUsage()
    peakHeap = Math.max(peakHeap, heapUsed)
    peakRss = Math.max(peakRss, rss)
  }
  const timer = setInterval(sample, 250)
  const closeQuarter = (): void => {
    sample()
    collect()
    const counts = [...waiting.keys()].map((user) => shares.get(user) ?? 0)
    quarters.push({
      minutes: Math.round((performance.now() - startedAt) / 600) / 100,
      share: [Math.min(...counts), Math.max(...counts)],
      ...{ peakHeap: mebibytes(peakHeap), heap: mebibytes(process.memoryUsage().heapUsed), peakRss: mebibytes(peakRss) },
    })
    shares = new Map()
    peakHeap = 0
    peakRss = 0
  }
  return {
    get most() {
      return most
    },
    get unfairness() {
      return unfairness
    },
    begins(user) {
      atWork += 1
      most = Math.max(most, atWork)
      shares.set(user, (shares.get(user) ?? 0) + 1)
      const left = (waiting.get(user) ?? 0) - 1
      waiting.set(user, left)
      if (!isAllQueued) return
      turns.set(user, (turns.get(user) ?? 0) + 1)
      if (left <= 0) turns.delete(user)
      const counts = [...turns.values()]
      if (counts.length > 1) unfairness = Math.max(unfairness, Math.max(...counts) - Math.min(...counts))
    },
    ends() {
      atWork -= 1
      ended += 1
      endedAt = performance.now()
      if (ended % Math.ceil(tasks / 4) === 0 || ended === tasks) closeQuarter()
    },
    queued: (user, count) => void waiting.set(user, (waiting.get(user) ?? 0) + count),
    allQueued() {
      isAllQueued = true
      for (const [user, left] of waiting) if (left > 0) turns.set(user, 0)
    },
    async allEnded() {
      endedAt = performance.now()
      while (ended < tasks) {
        if (performance.now() - endedAt > stuckMs) throw new Error(`${ended} of ${tasks} tasks have ended, and no more do.`)
        await setTimeout(100)
      }
    },
    quarters: () => quarters,
    close: () => clearInterval(timer),
  }
}

/** The first user queues a tenth before the others begin, who then queue one after the other. */
async function queueAll(people: ReadonlyMap<string, Person>, tasks: number, watch: Watch, print: (line: string) => void): Promise<void> {
  const names = [...people.keys()]
  const [first = '', ...others] = names
  const early = tasks / 10
  const queue = async (name: string): Promise<void> => {
    watch.queued(name, 1)
    const { status, body } =
      (await people.get(name)?.request('POST', '/api/tasks', { instruction: `Work for ${name}.`, notify: 'never' })) ?? {}
    if (status !== 201) throw new Error(`Creating a task answered ${status}: ${JSON.stringify(body)}`)
  }
  const startedAt = performance.now()
  for (let count = 0; count < early; count += 10) await Promise.all(Array.from({ length: Math.min(10, early - count) }, () => queue(first)))
  for (let count = early; count < tasks; count += others.length)
    await Promise.all(others.slice(0, tasks - count).map((name) => queue(name)))
  watch.allQueued()
  print(`${tasks} tasks were queued after ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}

const personWith = async (agents: AgentsKernel, name: string): Promise<Person> => {
  // Sign-ins are limited to five a second.
  await setTimeout(220)
  return agents.person(name)
}

/** A model has answered them all; their last step may still be on its way. @throws after a minute. */
async function allCompleted(people: readonly Person[], tasks: number): Promise<void> {
  const until = performance.now() + stuckMs
  for (;;) {
    const counts = await Promise.all(people.map((person) => completedOf(person)))
    const ended = counts.reduce((sum, count) => sum + count, 0)
    if (ended === tasks) return
    if (performance.now() > until) throw new Error(`${ended} of ${tasks} tasks are completed.`)
    await setTimeout(500)
  }
}

async function completedOf(person: Person): Promise<number> {
  let count = 0
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await person.request('GET', `/api/tasks?status=completed&limit=200${query}`)
    count += (body['items'] as readonly unknown[]).length
    cursor = body['next_cursor']
  }
  return count
}

/** For whom a task works, as its instruction says. */
const nameIn = ({ messages }: ModelRequest): string =>
  /Work for (user\d+)\./.exec(JSON.stringify(messages.filter(({ role }) => role === 'user')))?.[1] ?? ''

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

const textOf = ({ minutes, share, peakHeap, heap, peakRss }: Quarter): string =>
  `after ${minutes} min; ${share[0]} to ${share[1]} tasks of each user; heap ${peakHeap} MiB at most, ${heap} MiB after a collection; resident ${peakRss} MiB at most`
