import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { processesLeft, processesWith } from '../sandbox/support/host-processes.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins, sandboxPlugins, taskPlugins } from '../support/few-plugins.js'
import { createRandom, type Random } from '../support/random.js'
import { startTalkingUpstream, type TalkAnswer, type TalkRequest } from '../support/talking-upstream.js'
import type { CampaignOptions } from './index.js'
import { allowTools, askFor, type Person, signUpPerson } from './support/person.js'
import { type ServiceLife, startLife } from './support/service-life.js'

/** What the campaign saw. */
export interface TaskTreesOutcome {
  readonly kills: number
  /** Moments at which a process was killed, such as `before child starting`. */
  readonly moments: ReadonlySet<string>
  readonly trees: number
  /** The most children that had their model at work at once. */
  readonly most: number
  /** How many processes of agents were seen and are gone. */
  readonly processes: number
}

const children = 20
const places = 4
/** How long the first child waits for another one to be at work beside it. */
const togetherMs = 10_000
/** How long one thing may take. */
const patienceMs = 60_000

/** Every stored change of a parent and of its children, before and after its commit. */
const moments: readonly string[] = ['before', 'after'].flatMap((moment) => [
  ...['starting', 'running', 'waiting', 'completed'].map((state) => `${moment} top ${state}`),
  ...['queued', 'starting', 'running', 'completed'].map((state) => `${moment} child ${state}`),
])
const inShortForm = ['after top waiting', 'before child completed']

/**
 * Kills the service with SIGKILL at every stored change of a task that waits for 20 others, of these,
 * and of tasks that never end, with what they have started. Every child runs once and its parent has
 * every result; what never ends is ended by its limit or by a person; no process is left. @throws
 * with the first violation.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<TaskTreesOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-trees-'))
  const model = createModel()
  const upstream = await startTalkingUpstream(model.answer)
  await writeConfiguration(folder, upstream.url)
  let kills = 0
  const lives: ServiceLife[] = []
  const begin: Begin = ({ aim, sandbox = false } = {}) => {
    const environment = {
      ...{ SERVICE_SERVER_MAX_CONCURRENT_TASKS: String(places), SERVICE_SCHEDULER_POLL_SECS: '1' },
      SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'feature-tasks': { max_concurrent_per_agent: places } }),
      ...fewPlugins(...taskPlugins, ...(sandbox ? sandboxPlugins : [])),
    }
    const life = startLife({ folder, environment, ...(aim === undefined ? {} : { preload: aimOf(aim, random) }) })
    lives.push(life)
    return life
  }
  const kill = async (life: ServiceLife): Promise<void> => {
    const { signal } = await life.kill()
    if (signal !== 'SIGKILL') throw new Error(`The service ended by itself:\n${life.log.join('\n')}`)
    kills += 1
  }
  const at: Setting = { begin, kill, random, model }
  try {
    const first = begin({ sandbox: true })
    const url = await readyOf(first)
    const person = await signUpPerson(url, 'ada')
    await allowTools(url, person, ['create_task', 'shell'])
    await kill(first)
    const trees = await killTrees(at, person, full ? moments : inShortForm, print)
    await endNeverEnding(at, person)
    print('what never ends was ended')
    const processes = await endProcesses(at, person)
    const { most } = model
    print(
      `${kills} kills, ${trees.aimed.size} of ${moments.length} moments, ${trees.count} trees, at most ${most} at work, ${processes} processes`,
    )
    if (most > places) throw new Error(`${most} children were at work; there are ${places} places.`)
    return { kills, moments: trees.aimed, trees: trees.count, most, processes }
  } finally {
    for (const life of lives) await life.kill()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Begin = (options?: { readonly aim?: string; readonly sandbox?: boolean }) => ServiceLife

/** What the parts of the campaign share. */
interface Setting {
  readonly begin: Begin
  /** @throws when the process has ended by itself. */
  readonly kill: (life: ServiceLife) => Promise<void>
  readonly random: Random
  readonly model: Model
}

interface Model {
  readonly most: number
  /** In the command lines of what tasks leave behind. */
  readonly mark: string
  answer(request: TalkRequest, signal: AbortSignal): TalkAnswer | Promise<TalkAnswer>
}

/** A model that does what the instruction of a task says. */
function createModel(): Model {
  const mark = `86400.${randomInt(1_000_000, 9_999_999)}`
  let [atWork, most] = [0, 0]
  return {
    mark,
    get most() {
      return most
    },
    async answer({ messages }, signal) {
      const said = JSON.stringify(messages.filter(({ role }) => role === 'user'))
      const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content))
      if (said.includes('Be the parent') && results.length === 0) return { calls: instructions.map(waitFor) }
      if (said.includes('Be the guardian') && results.length === 0) return waitFor('Never end.')
      if (said.includes('Be the guardian') || said.includes('Be the parent')) return { text: `They said: ${results.join('\n')}` }
      if (said.includes('Leave a process') && results.length === 0)
        return { tool: 'shell', input: { command: `exec sleep ${mark}`, background: true } }
      const child = /Be child (\d+)\./.exec(said)?.[1]
      // The rest never ends.
      if (child === undefined) return new Promise<TalkAnswer>(() => undefined)
      atWork += 1
      most = Math.max(most, atWork)
      try {
        await setTimeout(60, undefined, { signal })
        // Two are at work at once also where the next one takes longer to begin.
        for (const end = Date.now() + togetherMs; most < 2 && Date.now() < end; ) await setTimeout(20, undefined, { signal })
      } finally {
        atWork -= 1
      }
      return { text: `Child ${child} is done.` }
    },
  }
}

const instructions = Array.from({ length: children }, (_, index) => `Be child ${index + 1}.`)
const waitFor = (instruction: string) => ({ tool: 'create_task', input: { instruction, wait: true } })

function aimOf(aim: string, random: Random): URL {
  const [moment = '', level = '', state = ''] = aim.split(' ')
  const program = new URL('../programs/kill-at-execution.js', import.meta.url)
  const count = level === 'top' ? 1 : random.between(1, 6)
  for (const [name, value] of Object.entries({ moment, level, state, count: String(count) })) program.searchParams.set(name, value)
  return program
}

async function readyOf(life: ServiceLife): Promise<string> {
  const url = await life.ready
  if (url === undefined) throw new Error(`The service does not start:\n${life.log.join('\n')}`)
  return url
}

/** Kills a process at each of these moments, and one at a random moment after each of them. */
async function killTrees(
  { begin, kill, random }: Setting,
  person: Person,
  aims: readonly string[],
  print: (line: string) => void,
): Promise<{ readonly aimed: ReadonlySet<string>; readonly count: number }> {
  const aimed = new Set<string>()
  const roots: string[] = []
  /** The newest tree, which may be at work. */
  const open = async (url: string): Promise<string> => {
    const root = roots.at(-1)
    if (root !== undefined && (await treeOf(url, person, root)).status !== 'completed') return root
    roots.push(await create(url, person, { instruction: 'Be the parent.' }))
    return roots.at(-1) ?? ''
  }
  for (const aim of aims) {
    const struck = begin({ aim })
    // It may be killed before it is ready, while it goes on with the tree that is open.
    const url = await struck.ready
    if (url !== undefined) await untilStruck(struck, async () => void (await open(url)))
    aimed.add(aim)
    await kill(struck)
    const calm = begin()
    const calmUrl = await readyOf(calm)
    const root = await open(calmUrl)
    const before = (await treeOf(calmUrl, person, root)).completed
    // A run whose process dies three times at one step would be given up.
    await until('the tree goes on', async () => {
      const tree = await treeOf(calmUrl, person, root)
      return tree.status === 'completed' || tree.completed >= before + 3
    })
    await setTimeout(random.between(0, 200))
    await kill(calm)
    print(`killed ${aim}`)
  }
  const last = begin()
  const url = await readyOf(last)
  for (const root of roots) await until('the trees end', async () => (await treeOf(url, person, root)).status === 'completed')
  for (const root of roots) await checkTree(url, person, root)
  await kill(last)
  return { aimed, count: roots.length }
}

/** Does something again and again until the process has killed itself. */
async function untilStruck(life: ServiceLife, work: () => Promise<void>): Promise<void> {
  const isGone = (): boolean => life.child.signalCode !== null || life.child.exitCode !== null
  for (const end = Date.now() + patienceMs; !isGone(); await setTimeout(50)) {
    if (Date.now() > end) throw new Error(`The process was not killed at its moment:\n${life.log.join('\n')}`)
    await work().catch((error: unknown) => {
      // A process that is killed ends its connections.
      if (error instanceof TypeError || isGone()) return
      throw error
    })
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await holds()); await setTimeout(50))
    if (Date.now() > end) throw new Error(`It did not happen within ${patienceMs / 1_000} seconds that ${what}.`)
}

const create = async (url: string, person: Person, input: object): Promise<string> =>
  String((await askFor(201, url, person, 'POST', '/api/tasks', { notify: 'never', max_retries: 0, ...input }))['id'])

interface SeenTask {
  readonly id: string
  readonly status: string
  readonly instruction: string
}

interface SeenExecution {
  readonly state: string
  readonly answer: string | null
  readonly failure: { readonly code: string } | null
  readonly attempts: readonly { readonly run_id: string | null }[]
}

async function treeOf(
  url: string,
  person: Person,
  root: string,
): Promise<{ readonly status: string; readonly children: readonly SeenTask[]; readonly completed: number }> {
  const body = await askFor(200, url, person, 'GET', `/api/tasks/${root}/tree`)
  const below = body['children'] as readonly SeenTask[]
  const completed = below.filter(({ status }) => status === 'completed').length
  return { status: (body['task'] as SeenTask).status, children: below, completed }
}

const executionsOf = async (url: string, person: Person, id: string): Promise<readonly SeenExecution[]> =>
  (await askFor(200, url, person, 'GET', `/api/tasks/${id}/executions?limit=200`))['items'] as readonly SeenExecution[]

/** @throws unless every child has run once and its parent has every result. */
async function checkTree(url: string, person: Person, root: string): Promise<void> {
  const problems: string[] = []
  const { children: below } = await treeOf(url, person, root)
  const found = below.map(({ instruction }) => instruction).sort()
  if (JSON.stringify(found) !== JSON.stringify([...instructions].sort())) problems.push(`its children are ${found.join(' ')}`)
  const runs = new Set<string | null>()
  for (const id of [root, ...below.map((child) => child.id)]) {
    const executions = await executionsOf(url, person, id)
    const [execution] = executions
    if (executions.length !== 1 || execution?.state !== 'completed' || execution.attempts.length !== 1)
      problems.push(`${id} has ${executions.map(({ state, attempts }) => `${state} after ${attempts.length}`).join(', ')} attempts`)
    runs.add(execution?.attempts[0]?.run_id ?? null)
    if (id !== root) continue
    for (const instruction of instructions) {
      const number = /\d+/.exec(instruction)?.[0]
      const times = execution?.answer?.split(`Child ${number} is done.`).length ?? 1
      if (times !== 2) problems.push(`the result of child ${number} is ${times - 1} times in its answer`)
    }
  }
  if (runs.has(null) || runs.size !== below.length + 1) problems.push(`there are ${runs.size} runs for ${below.length + 1} tasks`)
  if (problems.length > 0) throw new Error(`The tree ${root} is wrong: ${problems.join('; ')}`)
}

/** A child that never ends is ended by a person, with its parent or alone, and a task by its limit, over SIGKILL. */
async function endNeverEnding({ begin, kill }: Setting, person: Person): Promise<void> {
  const first = begin()
  const before = await readyOf(first)
  const guarded = [
    await create(before, person, { instruction: 'Be the guardian.' }),
    await create(before, person, { instruction: 'Be the guardian.' }),
  ]
  const limited = await create(before, person, { instruction: 'Never end.', max_seconds: 2 })
  for (const root of guarded) await until('the child is at work', async () => (await onlyChild(before, person, root))?.status === 'working')
  await kill(first)
  const second = begin()
  const url = await readyOf(second)
  const [withParent = '', alone = ''] = guarded
  await askFor(202, url, person, 'POST', `/api/tasks/${withParent}/cancel`)
  await askFor(202, url, person, 'POST', `/api/tasks/${(await onlyChild(url, person, alone))?.id}/cancel`)
  const stateOf = async (id: string | undefined): Promise<string> => {
    const [execution] = await executionsOf(url, person, id ?? '')
    return `${execution?.state} ${execution?.failure?.code}`
  }
  const expected: readonly (readonly [string, string | undefined, RegExp])[] = [
    ['the cancelled parent', withParent, /^cancelled task_cancelled$/],
    ['its child', (await onlyChild(url, person, withParent))?.id, /^cancelled task_(cancelled|parent_ended)$/],
    ['the cancelled child', (await onlyChild(url, person, alone))?.id, /^cancelled task_cancelled$/],
    ['its parent, whose tool failed', alone, /^failed task_tool_failed$/],
    ['the one with a limit', limited, /^failed task_timed_out$/],
  ]
  for (const [what, id, wanted] of expected) await until(`${what} ends as ${wanted.source}`, async () => wanted.test(await stateOf(id)))
  await kill(second)
}

const onlyChild = async (url: string, person: Person, root: string): Promise<SeenTask | undefined> =>
  (await treeOf(url, person, root)).children[0]

/** A process in the background is gone when its task is cancelled, and when the service is killed. Returns how many there were. */
async function endProcesses({ begin, kill, model }: Setting, person: Person): Promise<number> {
  const { mark } = model
  const leave = async (url: string): Promise<string> => {
    const id = await create(url, person, { instruction: 'Leave a process.' })
    await until('the process runs', async () => (await processesWith(mark)).length > 0)
    return id
  }
  const gone = async (when: string): Promise<void> => {
    const left = await processesLeft(mark)
    if (left.length > 0) throw new Error(`Processes are left after ${when}:\n${left.join('\n')}`)
  }
  const first = begin({ sandbox: true })
  const url = await readyOf(first)
  if (!(await confines(first))) {
    await kill(first)
    return 0
  }
  await askFor(202, url, person, 'POST', `/api/tasks/${await leave(url)}/cancel`)
  await gone('its task was cancelled')
  const id = await leave(url)
  await kill(first)
  await gone('the service was killed')
  const second = begin({ sandbox: true })
  const again = await readyOf(second)
  await askFor(202, again, person, 'POST', `/api/tasks/${id}/cancel`)
  await until('the cancelled task has ended', async () => (await executionsOf(again, person, id))[0]?.state === 'cancelled')
  await gone('the restart')
  await kill(second)
  return 2
}

/** Whether code of agents runs on this machine, as the service says. */
async function confines({ log }: ServiceLife): Promise<boolean> {
  const says = (text: string): boolean => log.some((line) => line.includes(text))
  await until('the service says whether code runs', async () => says('"The sandbox is ready') || says('"No code of agents can run'))
  return says('"The sandbox is ready')
}
