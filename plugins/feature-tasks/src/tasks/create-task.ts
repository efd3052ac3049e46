import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { GuestAccess } from '@agent-service/sdk/contracts/tool'
import { checkSchedule } from '@agent-service/sdk/schedule'
import { type AgentSummary, agentUnknownError } from '@agent-service/sdk/services/agents'
import type { Transaction } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { userUnknownError } from '@agent-service/sdk/services/runs'
import { v7 as uuidv7 } from 'uuid'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection } from '../store/execution.js'
import { openTasksCollection } from '../store/lease.js'
import { queueExecution } from '../store/queue-execution.js'
import { saveTask } from '../store/save-task.js'
import { type Heartbeat, nothingExpected, type Task, type TaskParent } from '../store/task.js'
import { plannedTimes, textOf } from '../times/plan-task.js'
import type { NewTaskInput, TaskChangeInput } from './task-schemas.js'

/** How much later than its time a task of a schedule begins at most, unless it says. */
const defaultSpreadSeconds = 30
const defaultRetries = 2
const defaultRetrySeconds = 60
/** A heartbeat's budget in 24 hours, unless it says. */
const defaultHeartbeat = { max_runs: 24, max_tokens: 200_000 }
const maxTitle = 80

/** Who creates a task. */
export interface TaskCreator {
  readonly userId: string
  /** The agent that asks for it; its own agent is the default then. */
  readonly agent?: { readonly id: string; readonly handle: string }
  /** The agents for which that agent works, by id. */
  readonly callers?: readonly string[]
  readonly parent?: TaskParent
  /** What the task may use, since it is created where guests write. */
  readonly guests?: GuestAccess
}

/** A task that was created, and the lane in which it waits, if it waits for a place. */
export interface CreatedTask {
  readonly task: Task
  readonly execution: Execution | undefined
}

/**
 * Creates a task; one without a time waits for a place at once. Everything is checked before
 * anything is written. `also` is part of the same transaction. @throws `invalid_request`,
 * `agent_not_found`, `user_not_found`, `quota_exceeded`.
 */
export async function createTask(
  parts: TaskParts,
  input: NewTaskInput,
  creator: TaskCreator,
  also: (transaction: Transaction, task: Task) => void = () => undefined,
): Promise<CreatedTask> {
  const { database, clock, accounts, events, limits } = parts
  const { userId } = creator
  const account = await accounts.get(userId)
  if (!account) throw userUnknownError.create({ userId })
  refuseProblems(problemsOf(input))
  const agent = input.kind === 'reminder' ? null : await agentFor(parts, userId, input.agent ?? creator.agent?.id)
  const createdAt = clock.now()
  const task = newTask(input, { agent, creator, maxSeconds: limits.maxSeconds, now: createdAt })
  const times = plannedTimes(task, { zone: account.timezone, from: createdAt })
  if (task.schedule && times.next_at === null)
    refuseProblems([{ path: '/schedule/cron', message: 'never comes round: no month has such a day' }])
  return database.transaction(async (transaction) => {
    const open = (await transaction.get(openTasksCollection, userId))?.count ?? 0
    if (open >= limits.maxOpenPerUser)
      throw quotaExceededError.create({ counts: 'tasks that have not ended', max: limits.maxOpenPerUser, used: open })
    const now = textOf(clock.now())
    const planned = { ...task, ...times }
    const isNow = planned.wake_at === null
    const made = isNow
      ? queueExecution(planned, { trigger: creator.agent ? 'agent' : 'now', scheduledFor: null, represents: 1, now })
      : { task: planned, execution: undefined }
    if (made.execution) transaction.insert(executionCollection, made.execution)
    const stored = await saveTask(transaction, events, {
      before: undefined,
      after: made.task,
      now,
      ...(made.execution && { execution: made.execution }),
    })
    also(transaction, stored)
    return { task: stored, execution: made.execution }
  })
}

/** @throws `agent_not_found`. */
export async function agentFor({ agents }: Pick<TaskParts, 'agents'>, userId: string, wanted: string | undefined): Promise<AgentSummary> {
  const own = await agents.list(userId)
  const found = wanted === undefined ? own[0] : own.find(({ id, handle }) => id === wanted || handle === wanted)
  if (!found) throw agentUnknownError.create({ handle: wanted ?? '' })
  return found
}

/** What is wrong with a task's members together, by path. */
export function problemsOf(input: TaskChangeInput & Pick<NewTaskInput, 'kind'>): readonly Problem[] {
  const { schedule, due_at, kind, check, max_runs, max_tokens } = input
  const problems: Problem[] = []
  if (schedule) {
    const { cron, timezone } = schedule
    problems.push(
      ...checkSchedule(timezone == null ? { cron } : { cron, timezone }).map(({ path, message }) => ({
        path: `/schedule${path}`,
        message,
      })),
    )
    if (due_at != null) problems.push({ path: '/due_at', message: 'must be absent beside a schedule' })
  }
  if (kind === 'heartbeat' && !schedule) problems.push({ path: '/schedule', message: 'is required for a heartbeat' })
  if (kind === 'heartbeat' && input.result) problems.push({ path: '/result', message: 'must be absent: a heartbeat has a form of its own' })
  if (kind === 'reminder' && !schedule && due_at == null)
    problems.push({ path: '/due_at', message: 'or a schedule is required for a reminder' })
  if (kind !== 'heartbeat' && kind !== undefined && (check ?? max_runs ?? max_tokens) !== undefined)
    problems.push({ path: check ? '/check' : '/max_runs', message: 'is for heartbeats' })
  return problems
}

export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
}

function newTask(
  input: NewTaskInput,
  at: { readonly agent: AgentSummary | null; readonly creator: TaskCreator; readonly maxSeconds: number; readonly now: number },
): Task {
  const { kind = 'task', schedule = null } = input
  const { agent, creator, maxSeconds } = at
  const now = textOf(at.now)
  return {
    ...{ id: uuidv7(), user_id: creator.userId, kind, title: input.title ?? titleFrom(input.instruction), instruction: input.instruction },
    agent: agent && { id: agent.id, handle: agent.handle },
    ...{ model_group: input.model_group ?? null, tools: input.tools ?? null },
    max_seconds: Math.min(maxSeconds, input.max_seconds ?? maxSeconds),
    result: input.result ?? null,
    schedule: schedule && { cron: schedule.cron, timezone: schedule.timezone ?? null },
    due_at: input.due_at == null ? null : textOf(Date.parse(input.due_at)),
    missed: input.missed ?? (kind === 'heartbeat' ? 'skip' : 'once'),
    spread_secs: input.spread_secs ?? (schedule && kind !== 'reminder' ? defaultSpreadSeconds : 0),
    ...{ max_retries: input.max_retries ?? defaultRetries, retry_delay_secs: input.retry_delay_secs ?? defaultRetrySeconds },
    ...{ tool_failures: input.tool_failures ?? 'fail', notify: input.notify ?? 'always' },
    heartbeat: kind === 'heartbeat' ? heartbeatOf(input) : null,
    ...{ parent: creator.parent ?? null, created_by: creator.agent ? 'agent' : 'person' },
    creator_agent_id: creator.agent?.id ?? null,
    guests: creator.guests ?? null,
    callers: creator.agent ? [...new Set([...(creator.callers ?? []), creator.agent.id])] : [],
    ...{ status: 'scheduled', paused: false, cancelled_at: null, problem: null },
    ...{ zone: null, follows_zone: null, planned_from: null, next_at: null, wake_at: null },
    ...{ backlog: [], queued: null, active: null, active_state: null, last: null },
    counts: { completed: 0, failed: 0, cancelled: 0, missed: 0 },
    ...{ ...nothingExpected, failures_told: null, late: null, late_told: null },
    ...{ created_at: now, updated_at: now, ended_at: null },
  }
}

const heartbeatOf = ({ check = { kind: 'always' }, max_runs, max_tokens }: NewTaskInput): Heartbeat => ({
  check,
  max_runs: max_runs ?? defaultHeartbeat.max_runs,
  max_tokens: max_tokens ?? defaultHeartbeat.max_tokens,
  ...{ seen: null, looked_at: null, outcome: null },
})

const titleFrom = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? ''
  const title = line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 1).replace(/[\ud800-\udbff]$/, '')}…`
  return title === '' ? 'Task' : title
}
