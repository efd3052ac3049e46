import { setTimeout } from 'node:timers/promises'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

/** What the campaign saw. */
export interface ManyTasksOutcome {
  readonly tasks: number
  /** At work at the same time. */
  readonly most: number
  /** After so many ends every user had one. */
  readonly everyoneServedAfter: number
  readonly heapMiB: readonly number[]
}

const places = 10

/**
 * Queues tasks of many users, far more than there are places: 10,000 of 50 at full length. Never
 * more than the places may be at work, the users take turns, all end, and memory stays flat.
 * @throws with the first violation.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<ManyTasksOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const [users, tasks] = full ? [50, 10_000] : [8, 120]
  let atWork = 0
  let most = 0
  setScript({
    async *answer() {
      atWork += 1
      most = Math.max(most, atWork)
      await setTimeout(random.between(20, 120))
      atWork -= 1
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
    const people: Person[] = []
    for (let user = 1; user <= users; user += 1) people.push(await personWith(agents, `user${user}`))
    const [first] = people
    if (!first) throw new Error('There is nobody.')
    const heapMiB: number[] = []
    for (let count = 0; count < tasks; count += users) {
      await Promise.all(people.map((person) => create(person)))
      if (count % Math.ceil(tasks / 10) < users) heapMiB.push(heap())
    }
    const { ended, everyoneServedAfter } = await untilEnded(people, tasks, () => heapMiB.push(heap()))
    print(
      `${ended} tasks of ${users} users ended; at most ${most} at work; everyone was served after ${everyoneServedAfter}; heap ${heapMiB.join(', ')} MiB`,
    )
    if (most > places) throw new Error(`${most} tasks were at work; there are ${places} places.`)
    return { tasks: ended, most, everyoneServedAfter, heapMiB }
  } finally {
    await agents.close()
  }
}

const personWith = async (agents: AgentsKernel, name: string): Promise<Person> => {
  // Sign-ins are limited to five a second.
  await setTimeout(220)
  return agents.person(name)
}

async function create(person: Person): Promise<void> {
  const { status, body } = await person.request('POST', '/api/tasks', { instruction: 'Work.', notify: 'never' })
  if (status !== 201) throw new Error(`Creating a task answered ${status}: ${JSON.stringify(body)}`)
}

async function untilEnded(
  people: readonly Person[],
  tasks: number,
  sample: () => void,
): Promise<{ readonly ended: number; readonly everyoneServedAfter: number }> {
  let everyoneServedAfter = Number.POSITIVE_INFINITY
  for (let before = -1; ; ) {
    const counts = await Promise.all(people.map((person) => completedOf(person)))
    const ended = counts.reduce((sum, count) => sum + count, 0)
    if (counts.every((count) => count > 0)) everyoneServedAfter = Math.min(everyoneServedAfter, ended)
    if (ended >= tasks) return { ended, everyoneServedAfter }
    if (ended === before) await setTimeout(200)
    before = ended
    sample()
    await setTimeout(tasks > 1_000 ? 10_000 : 200)
  }
}

async function completedOf(person: Person): Promise<number> {
  let count = 0
  let cursor: unknown = ''
  while (typeof cursor === 'string') {
    const { body } = await person.request(
      'GET',
      `/api/tasks?status=completed&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    count += (body['items'] as readonly unknown[]).length
    cursor = body['next_cursor']
  }
  return count
}

const heap = (): number => {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20)
}
