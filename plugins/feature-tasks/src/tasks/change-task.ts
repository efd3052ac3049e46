import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { taskEndedError } from '../common/errors.js'
import type { TaskParts } from '../parts/task-parts.js'
import { executionCollection, laneOf } from '../store/execution.js'
import { saveTask } from '../store/save-task.js'
import { isFinal, type Task, taskCollection } from '../store/task.js'
import { plannedTimes, textOf } from '../times/plan-task.js'
import { agentFor, problemsOf, refuseProblems } from './create-task.js'
import type { TaskChangeInput } from './task-schemas.js'

/**
 * Changes what a task does from its next execution on; what is at work stays as it began. @throws
 * `not_found`, `invalid_request`, `agent_not_found`, `task_ended`.
 */
export async function changeTask(
  parts: TaskParts,
  at: { readonly userId: string; readonly taskId: string },
  input: TaskChangeInput,
  also: (transaction: Transaction, change: { readonly before: Task; readonly after: Task }) => void = () => undefined,
): Promise<Task> {
  const { database, clock, accounts, events, limits } = parts
  const { userId, taskId } = at
  const zone = (await accounts.get(userId))?.timezone ?? 'UTC'
  const agent = input.agent === undefined ? undefined : await agentFor(parts, userId, input.agent)
  return database.transaction(async (transaction) => {
    const task = await transaction.get(taskCollection, taskId)
    if (task?.user_id !== userId) throw notFoundError.create({ what: 'task' })
    if (isFinal(task.status) && task.schedule === null) throw taskEndedError.create({ status: task.status, what: 'changed' })
    const after = changed(task, input, limits.maxSeconds)
    const { schedule, due_at } = after
    refuseProblems(
      problemsOf({ kind: task.kind, schedule, due_at: schedule ? null : due_at, ...(after.result && { result: after.result }) }),
    )
    const moved = { ...after, agent: task.agent && agent ? { id: agent.id, handle: agent.handle } : task.agent }
    const isRetimed = input.schedule !== undefined || input.due_at !== undefined || input.spread_secs !== undefined
    const times = isRetimed && !task.paused ? plannedTimes(moved, { zone, from: clock.now() }) : {}
    if (isRetimed && schedule && 'next_at' in times && times.next_at === null)
      refuseProblems([{ path: '/schedule/cron', message: 'never comes round: no month has such a day' }])
    const waiting = agent && task.queued !== null ? await transaction.get(executionCollection, task.queued) : undefined
    if (waiting && agent) {
      const lane = waiting.lane === null ? null : laneOf(userId, agent.id)
      transaction.put(executionCollection, { ...waiting, agent_id: agent.id, lane })
    }
    const now = textOf(clock.now())
    const stored = await saveTask(transaction, events, { before: task, after: { ...moved, ...times }, now })
    also(transaction, { before: task, after: stored })
    return stored
  })
}

function changed(task: Task, input: TaskChangeInput, maxSeconds: number): Task {
  const { agent: _, schedule, due_at, max_seconds, check, max_runs, max_tokens, ...plain } = input
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Partial<typeof plain>
  return {
    ...task,
    ...(given as Partial<Task>),
    ...(max_seconds === undefined ? {} : { max_seconds: Math.min(maxSeconds, max_seconds) }),
    ...(schedule === undefined ? {} : { schedule: schedule && { cron: schedule.cron, timezone: schedule.timezone ?? null } }),
    ...(schedule ? { due_at: null } : {}),
    ...(due_at === undefined ? {} : { due_at: due_at === null ? null : textOf(Date.parse(due_at)) }),
    heartbeat: task.heartbeat && {
      ...task.heartbeat,
      ...(check === undefined ? {} : { check, seen: null }),
      ...(max_runs === undefined ? {} : { max_runs }),
      ...(max_tokens === undefined ? {} : { max_tokens }),
    },
    // A person has looked after it: what kept it from going on may be mended.
    problem: null,
    ...{ failures_told: null, late_told: null },
  }
}
