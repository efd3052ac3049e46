import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins, taskPlugins } from '../support/few-plugins.js'
import { createRandom, type Random } from '../support/random.js'
import { startTalkingUpstream } from '../support/talking-upstream.js'
import type { CampaignOptions } from './index.js'
import { dueTimesOf, type SeenExecution, type SeenSchedule, scheduleProblems } from './support/schedule-evidence.js'
import { type ServiceLife, startLife } from './support/service-life.js'

/** What the campaign saw. */
export interface SchedulesOutcome {
  readonly kills: number
  /** Kills at a commit; by `before queued`. */
  readonly aimed: ReadonlyMap<string, number>
  /** Due times that were compared. */
  readonly times: number
  readonly executions: number
  /** What the person was told: once for each execution of a reminder. */
  readonly notifications: number
}

const killsOfFullForm = 500
const killsOfShortForm = 4
/** How many minutes of the service's calendar pass in a minute. */
const factor = 60
const minuteMs = 60_000
/** How long the last process may take to make up for what was missed. */
const settleMs = 60_000
/** How long a process may take to come to the commit at which it is killed. */
const aimMs = 20_000

/**
 * The commits at which a process is killed. Before `queued` and `reminded`: a time was noticed and is
 * not recorded. After `queued`: it is recorded and has not begun.
 */
const moments = [
  ...['before queued', 'after queued', 'before reminded', 'after reminded'],
  ...['before starting', 'after starting', 'before running', 'after running', 'before completed', 'after completed'],
]

const schedules = [
  { kind: 'reminder', instruction: 'Look.', cron: '* * * * *' },
  { kind: 'reminder', instruction: 'Look.', cron: '* * * * *', spread_secs: 20 },
  { kind: 'task', instruction: 'Work.', cron: '* * * * *', spread_secs: 0 },
  { kind: 'task', instruction: 'Work.', cron: '*/5 * * * *', spread_secs: 0 },
  { kind: 'task', instruction: 'Work.', cron: '*/2 * * * *', spread_secs: 0, missed: 'all' },
  { kind: 'task', instruction: 'Work.', cron: '* * * * *', spread_secs: 0, missed: 'skip' },
] as const

/**
 * Kills the service with SIGKILL at the commits of due times and of what follows from them, and at
 * random moments, also while it starts; meanwhile tasks and reminders are due every minute of a
 * calendar that runs 60 times as fast. No time may happen twice and none may be forgotten, nor may a notification of a
 * reminder. @throws with all violations.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<SchedulesOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-schedules-'))
  const upstream = await startTalkingUpstream(() => ({ text: 'Done.' }))
  await writeConfiguration(folder, upstream.url)
  const calendar = new URL(`../programs/fast-calendar.js?anchor=${Date.now()}&factor=${factor}`, import.meta.url)
  const environment = {
    ...{ SERVICE_SCHEDULER_POLL_SECS: '1', SERVICE_AUTH_ACCESS_TOKEN_EXPIRY_SECS: '8640000' },
    SERVICE_PLUGINS_SETTINGS: JSON.stringify({
      'feature-tasks': { max_concurrent_per_agent: 10 },
      'feature-notifications': { max_per_user: 10_000 },
    }),
    ...fewPlugins(...taskPlugins),
  }
  const aimed = new Map<string, number>()
  let kills = 0
  let life: ServiceLife | undefined
  const begin = (aim?: string): ServiceLife => {
    life = startLife({ folder, preload: aim === undefined ? calendar : [calendar, aimOf(aim, random)], environment })
    return life
  }
  const conclude = async (killed: ServiceLife, by: Promise<unknown>): Promise<void> => {
    await by
    const { signal } = await killed.ended
    if (signal !== 'SIGKILL') throw new Error(`The service ended by itself:\n${killed.log.join('\n')}`)
    kills += 1
    if (kills % 50 === 0) print(`${kills} kills`)
  }
  const goesOn = (): boolean => (full ? kills < killsOfFullForm : aimed.size < 2 || kills < killsOfShortForm)
  try {
    const first = begin()
    let ada = await signUp(await readyOf(first), 'ada')
    const ids = await createSchedules(ada)
    await conclude(first, first.kill())
    for (let round = 0; goesOn(); round += 1) {
      // A run that begins just before a kill would be given up after three more without a step, so every second
      // life is long enough for one.
      if (round % 2 === 1) {
        const life = begin()
        ada = at(ada, await readyOf(life))
        await untilMoved(ada, ids)
        await setTimeout(random.between(0, 300))
        await conclude(life, life.kill())
        continue
      }
      const aim = aimed.size < 2 ? moments[aimed.size] : random.next() < 0.7 ? random.pick(moments) : undefined
      const life = begin(aim)
      const byItself = await Promise.race([
        life.ended.then(() => true),
        setTimeout(aim === undefined ? random.between(0, 1_200) : aimMs, false, { ref: false }),
      ])
      await conclude(life, life.kill())
      if (aim !== undefined && byItself) aimed.set(aim, (aimed.get(aim) ?? 0) + 1)
    }
    return { kills, aimed, ...(await compare(at(ada, await readyOf(begin())), ids, { kills, aimed, print })) }
  } finally {
    await life?.kill()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function aimOf(aim: string, random: Random): URL {
  const [moment = '', state = ''] = aim.split(' ')
  const program = new URL('../programs/kill-at-execution.js', import.meta.url)
  for (const [name, value] of Object.entries({ moment, state, count: String(random.between(1, 3)) })) program.searchParams.set(name, value)
  return program
}

async function readyOf(life: ServiceLife): Promise<string> {
  const url = await life.ready
  if (url === undefined) throw new Error(`The service does not start:\n${life.log.join('\n')}`)
  return url
}

/** The same person, at the address of another process. */
function at(api: Api, url: string): Api {
  return { ...api, url, request: (method, path, body) => requestAt(url, api.token, method, path, body) }
}

async function requestAt(...[url, token, method, path, body]: [string, string, string, string, unknown]): ReturnType<Api['request']> {
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function createSchedules(ada: Api): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { cron, kind, ...input } of schedules) {
    const notify = kind === 'task' ? { notify: 'never' } : {}
    const { status, body } = await ada.request('POST', '/api/tasks', { kind, ...input, ...notify, schedule: { cron } })
    if (status !== 201) throw new Error(`Creating a task answered ${status}: ${JSON.stringify(body)}`)
    ids.push(String(body['id']))
  }
  return ids
}

/** Waits until what is open now has ended. */
async function untilMoved(ada: Api, ids: readonly string[]): Promise<void> {
  const open = async (): Promise<ReadonlySet<string>> => {
    const tasks = await Promise.all(ids.map((id) => ada.request('GET', `/api/tasks/${id}`)))
    return new Set(tasks.flatMap(({ body }) => (typeof body['execution_id'] === 'string' ? [body['execution_id']] : [])))
  }
  const before = await open()
  const until = Date.now() + settleMs
  while ([...(await open())].some((id) => before.has(id))) {
    if (Date.now() > until) throw new Error('A task makes no progress.')
    await setTimeout(50)
  }
}

/** Pauses the schedules, waits for what is at work, and compares. */
async function compare(
  ada: Api,
  ids: readonly string[],
  { kills, aimed, print }: Pick<SchedulesOutcome, 'kills' | 'aimed'> & Pick<CampaignOptions, 'print'>,
): Promise<Pick<SchedulesOutcome, 'times' | 'executions' | 'notifications'>> {
  const problems: string[] = []
  const runs = new Map<string, string>()
  const reminders = new Set<string>()
  let times = 0
  let executions = 0
  for (const [index, id] of ids.entries()) {
    const seen = await pausedSchedule(ada, id)
    if (schedules[index]?.kind === 'reminder') for (const execution of seen.executions) reminders.add(execution.id)
    problems.push(...scheduleProblems(seen))
    for (const execution of seen.executions)
      for (const { run_id } of execution.attempts) {
        if (run_id === null) continue
        if (runs.has(run_id)) problems.push(`${id}: run ${run_id} has two executions`)
        runs.set(run_id, execution.id)
      }
    times += dueTimesOf(seen).length
    executions += seen.executions.length
  }
  const atMoments = [...aimed].map(([moment, count]) => `${count} ${moment}`).join(', ')
  const notifications = await compareNotifications(ada, reminders, problems)
  const found = `${times} due times, ${executions} executions, ${runs.size} runs, ${notifications} notifications, ${problems.length} problems`
  print(`${kills} kills (${atMoments}), ${found}`)
  if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`)
  return { times, executions, notifications }
}

/** Every reminder has one notification in the list, and no more. */
async function compareNotifications(ada: Api, reminders: ReadonlySet<string>, problems: string[]): Promise<number> {
  const until = Date.now() + settleMs
  for (;;) {
    const told: string[] = []
    let cursor: unknown = ''
    let unread: unknown
    while (typeof cursor === 'string') {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await ada.request('GET', `/api/notifications?limit=200${query}`)
      const items = body['items'] as readonly { readonly about: { readonly execution_id: string } }[]
      told.push(...items.map(({ about }) => about.execution_id))
      unread = body['unread']
      cursor = body['next_cursor']
    }
    const distinct = new Set(told)
    const missing = [...reminders].filter((id) => !distinct.has(id))
    // Those of the last moments arrive shortly after their commit.
    if (missing.length > 0 && Date.now() < until) {
      await setTimeout(100)
      continue
    }
    if (distinct.size !== told.length) problems.push(`${told.length - distinct.size} notifications are doubled`)
    if (missing.length > 0) problems.push(`${missing.length} reminders have no notification`)
    if (distinct.size > reminders.size) problems.push(`${distinct.size - reminders.size} notifications have no reminder`)
    if (unread !== told.length) problems.push(`${told.length} notifications are listed, and ${String(unread)} count as unread`)
    return told.length
  }
}

async function pausedSchedule(ada: Api, id: string): Promise<SeenSchedule> {
  let { status, body: task } = await ada.request('POST', `/api/tasks/${id}/pause`)
  for (const until = Date.now() + settleMs; task['status'] !== 'paused'; ) {
    if (status !== 200 || Date.now() > until) throw new Error(`The task ${id} is not paused: ${status} ${JSON.stringify(task)}`)
    await setTimeout(100)
    ;({ status, body: task } = await ada.request('GET', `/api/tasks/${id}`))
  }
  const executions: SeenExecution[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await ada.request('GET', `/api/tasks/${id}/executions?limit=200${query}`)
    executions.push(...(body['items'] as readonly SeenExecution[]))
    cursor = body['next_cursor']
  }
  const { cron } = task['schedule'] as { readonly cron: string }
  const minutes = Number(/^\*\/(\d+)/.exec(cron)?.[1] ?? 1)
  return {
    ...{ id, missed: task['missed'] as SeenSchedule['missed'], everyMs: minutes * minuteMs, executions },
    ...{ createdAt: String(task['created_at']), nextAt: String(task['next_at']), backlog: Number(task['backlog']) },
    countedMissed: (task['counts'] as { readonly missed: number }).missed,
  }
}
