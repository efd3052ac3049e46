import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { createRandom } from '../support/random.js'
import { startTalkingUpstream } from '../support/talking-upstream.js'
import type { CampaignOptions } from './index.js'
import { type ServiceLife, startLife } from './support/service-life.js'

/** What the campaign saw. */
export interface SchedulesOutcome {
  readonly kills: number
  /** Due times that were compared. */
  readonly times: number
  readonly executions: number
  /** What the person was told: once for each execution of a reminder. */
  readonly notifications: number
}

const killsOfFullForm = 500
/** How many minutes of the service's calendar pass in a minute. */
const factor = 60
const minuteMs = 60_000
/** How long the last process may take to make up for what was missed. */
const settleMs = 60_000

interface Execution {
  readonly id: string
  readonly state: string
  readonly scheduled_for: string
  readonly represents: number
  readonly attempts: readonly { readonly run_id: string | null }[]
}

/**
 * Kills the service with SIGKILL at random moments, also while it starts, while tasks and reminders
 * are due every minute of a calendar that runs 60 times as fast. No time may happen twice and none
 * may be forgotten, nor may a notification of a reminder. @throws with all violations.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<SchedulesOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-schedules-'))
  const upstream = await startTalkingUpstream(() => ({ text: 'Done.' }))
  await writeConfiguration(folder, upstream.url)
  const anchor = Date.now()
  const preload = new URL(`../programs/fast-calendar.js?anchor=${anchor}&factor=${factor}`, import.meta.url)
  const environment = {
    ...{ SERVICE_SCHEDULER_POLL_SECS: '1', SERVICE_AUTH_ACCESS_TOKEN_EXPIRY_SECS: '8640000' },
    SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'feature-notifications': { max_per_user: 10_000 } }),
  }
  const begin = (): ServiceLife => startLife({ folder, preload, environment })
  const until = Date.now() + seconds * 1_000
  let kills = 0
  let life = begin()
  try {
    const ids = await createSchedules(await readyOf(life))
    while (full ? kills < killsOfFullForm : kills < 2 || Date.now() < until) {
      // Some are killed before they are ready, the others a moment after.
      const isEarly = random.next() < 0.3
      if (!isEarly) await life.ready
      await setTimeout(random.between(0, isEarly ? 1_200 : 1_500))
      const { signal } = await life.kill()
      if (signal !== 'SIGKILL') throw new Error(`The service ended by itself:\n${life.log.join('\n')}`)
      kills += 1
      if (kills % 25 === 0) print(`${kills} kills`)
      life = begin()
    }
    return await conclude(await readyOf(life), ids, { kills, print })
  } finally {
    await life.kill()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function readyOf(life: ServiceLife): Promise<string> {
  const url = await life.ready
  if (url === undefined) throw new Error(`The service does not start:\n${life.log.join('\n')}`)
  return url
}

async function createSchedules(url: string): Promise<readonly string[]> {
  const ada = await signUp(url, 'ada')
  const schedule = { cron: '* * * * *' }
  const inputs = [
    { kind: 'reminder', instruction: 'Look.', schedule },
    { kind: 'reminder', instruction: 'Look.', schedule, spread_secs: 20 },
    { instruction: 'Work.', schedule, spread_secs: 0, notify: 'never' },
    { instruction: 'Work.', schedule: { cron: '*/5 * * * *' }, spread_secs: 0, notify: 'never' },
  ]
  const ids: string[] = []
  for (const input of inputs) {
    const { status, body } = await ada.request('POST', '/api/tasks', input)
    if (status !== 201) throw new Error(`Creating a task answered ${status}: ${JSON.stringify(body)}`)
    ids.push(String(body['id']))
  }
  return ids
}

/** Pauses the schedules, waits for what is still to end, and compares. */
async function conclude(
  url: string,
  ids: readonly string[],
  { kills, print }: { readonly kills: number; readonly print: (line: string) => void },
): Promise<SchedulesOutcome> {
  const ada = await signUp(url, 'ada')
  const problems: string[] = []
  let times = 0
  let executions = 0
  const runs = new Set<string>()
  const reminders = new Set<string>()
  for (const id of ids) {
    const until = Date.now() + settleMs
    let task = (await ada.request('POST', `/api/tasks/${id}/pause`)).body
    while (task['status'] !== 'paused' && Date.now() < until) {
      await setTimeout(100)
      task = (await ada.request('GET', `/api/tasks/${id}`)).body
    }
    const all: Execution[] = []
    let cursor: unknown = ''
    while (typeof cursor === 'string') {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await ada.request('GET', `/api/tasks/${id}/executions?limit=200${query}`)
      all.push(...(body['items'] as readonly Execution[]))
      cursor = body['next_cursor']
    }
    if (task['kind'] === 'reminder') for (const each of all) reminders.add(each.id)
    const everyMs = String((task['schedule'] as { readonly cron: string }).cron).startsWith('*/5') ? 5 * minuteMs : minuteMs
    const first = Math.floor(Date.parse(String(task['created_at'])) / everyMs)
    const last = Math.floor((Date.parse(String(task['next_at'])) - 1) / everyMs)
    const due = last - first
    problems.push(...gapsIn(all, { first, last, everyMs }).map((gap) => `${id}: ${gap}`))
    const seen = all.map(({ scheduled_for }) => scheduled_for)
    if (new Set(seen).size !== seen.length) problems.push(`${id}: a time happened twice`)
    for (const { id: executionId, state, attempts } of all) {
      const isQueued = state === 'queued'
      if (state !== 'completed' && !isQueued) problems.push(`${id}: execution ${executionId} is ${state}`)
      for (const { run_id } of attempts) {
        if (run_id !== null && runs.has(run_id)) problems.push(`${id}: run ${run_id} has two executions`)
        if (run_id !== null) runs.add(run_id)
      }
      if (attempts.length > 1) problems.push(`${id}: execution ${executionId} has ${attempts.length} attempts`)
    }
    times += due
    executions += all.length
  }
  const notifications = await compareNotifications(ada, reminders, problems)
  print(
    `${kills} kills, ${times} due times, ${executions} executions, ${runs.size} runs, ${notifications} notifications, ${problems.length} problems`,
  )
  if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`)
  return { kills, times, executions, notifications }
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

/** The most times of which an execution says that it stands for them. */
const mostRepresented = 100

/** Times between the first and the last one that no execution stands for, or two do. */
function gapsIn(
  executions: readonly Execution[],
  { first, last, everyMs }: { readonly first: number; readonly last: number; readonly everyMs: number },
): readonly string[] {
  const ordered = executions
    .map(({ scheduled_for, represents }) => ({ at: Date.parse(scheduled_for) / everyMs, represents }))
    .sort((a, b) => a.at - b.at)
  let reached = first
  const gaps: string[] = []
  for (const { at, represents } of ordered) {
    const passed = at - reached
    if (represents < mostRepresented ? passed !== represents : passed < represents)
      gaps.push(`the execution of ${new Date(at * everyMs).toISOString()} stands for ${represents} times, and ${passed} had passed`)
    reached = at
  }
  return reached === last ? gaps : [...gaps, `${last - reached} times at the end happened in no execution`]
}
