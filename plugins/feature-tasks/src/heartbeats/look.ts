import { createHash } from 'node:crypto'
import type { Account } from '@agent-service/sdk/services/accounts'
import type { TaskParts } from '../parts/task-parts.js'
import { executionCollection, usageOf } from '../store/execution.js'
import type { Heartbeat, Task } from '../store/task.js'

/** The result of a look. `seen`: what is stored once the agent was asked. */
export interface Look {
  readonly outcome: NonNullable<Heartbeat['outcome']>
  readonly seen: string | null
}

/** The period of a heartbeat's budget, in milliseconds. */
const periodMs = 24 * 3_600_000
/** The most entries of a folder whose changes are noticed. */
const maxEntries = 200

/**
 * The cheap look before an agent is asked: whether what its heartbeat watches has changed, and
 * whether it may spend anything. No model is called.
 */
export async function lookAt(parts: TaskParts, task: Task, account: Pick<Account, 'handle'>): Promise<Look> {
  const { heartbeat } = task
  if (!heartbeat) return { outcome: 'asked', seen: null }
  const seen = await seenNow(parts, task, account)
  if (seen !== undefined && (seen === '' || seen === heartbeat.seen)) return { outcome: 'nothing_to_do', seen }
  return { outcome: (await isSpent(parts, task)) ? 'budget_spent' : 'asked', seen: seen ?? null }
}

/** A text that changes with what is watched; empty: there is nothing; undefined: nothing is watched. */
async function seenNow(
  { files, agents, database }: TaskParts,
  task: Task,
  { handle }: Pick<Account, 'handle'>,
): Promise<string | undefined> {
  const { heartbeat, agent, user_id } = task
  if (!heartbeat || !agent || heartbeat.check.kind === 'always') return undefined
  if (heartbeat.check.kind === 'tasks') {
    const page = await database.collection(executionCollection).query({
      ...{ index: 'by_agent_end', equals: [agent.id], order: 'descending', limit: 20 },
    })
    const newest = page.items.find(({ task_id, ended_at }) => task_id !== task.id && ended_at !== null)
    return newest ? `${newest.id} ${newest.ended_at}` : ''
  }
  const details = await agents.details(user_id, agent.id)
  if (!details) return undefined
  const folder = files.folder({ handle }, { subsystem: 'workspaces', path: details.workspace })
  const entry = await folder.stat(heartbeat.check.path)
  if (!entry || entry.kind === 'other' || entry.kind === 'link') return ''
  if (entry.kind === 'file') return entry.size === 0 ? '' : `${entry.etag ?? entry.size} ${entry.modifiedAt}`
  const page = await folder.list(heartbeat.check.path, { limit: maxEntries })
  const entries = (page?.items ?? []).map(({ name, size, modifiedAt }) => `${name} ${size} ${modifiedAt}`)
  return entries.length === 0 ? '' : createHash('sha256').update(entries.join('\n')).digest('hex')
}

/** What a heartbeat has used of its budget. */
export interface UsedBudget {
  readonly runs: number
  readonly tokens: number
}

/** Whether the last 24 hours have used up what the heartbeat may spend. */
async function isSpent(parts: TaskParts, { id, heartbeat }: Task): Promise<boolean> {
  if (!heartbeat) return false
  const { runs, tokens } = await usedBudget(parts, { id }, heartbeat)
  return runs >= heartbeat.max_runs || tokens >= heartbeat.max_tokens
}

/** What the executions of the last 24 hours have used; it stops counting at `enough`. */
export async function usedBudget(
  { database, clock }: Pick<TaskParts, 'database' | 'clock'>,
  { id }: Pick<Task, 'id'>,
  enough?: Pick<Heartbeat, 'max_runs' | 'max_tokens'>,
): Promise<UsedBudget> {
  const since = clock.now() - periodMs
  let runs = 0
  let tokens = 0
  let cursor: string | undefined
  do {
    const page = await database.collection(executionCollection).query({
      ...{ index: 'by_task', equals: [id], order: 'descending', limit: 200 },
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const execution of page.items) {
      if (Date.parse(execution.created_at) < since) return { runs, tokens }
      const usage = usageOf(execution)
      runs += 1
      tokens += usage.input_tokens + usage.output_tokens
    }
    if (enough && (runs >= enough.max_runs || tokens >= enough.max_tokens)) return { runs, tokens }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { runs, tokens }
}
