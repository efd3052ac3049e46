import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { taskCannotRunError, taskEndedError } from '../common/errors.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, isEnded, moved } from '../store/execution.js'
import { laneMembers, queueExecution } from '../store/queue-execution.js'
import { deleteTask, saveTask } from '../store/save-task.js'
import { isFinal, nothingExpected, type Task, taskCollection } from '../store/task.js'
import { plannedTimes, textOf, withoutTimes } from '../times/plan-task.js'

/** A task after something was done with it. */
export interface Controlled {
  readonly task: Task
  readonly execution?: Execution | undefined
  /** Executions whose runs are to be stopped. */
  readonly stop: readonly string[]
}

/** The user's task. @throws `not_found`. */
export async function ownTask({ database }: Pick<TaskParts, 'database'>, userId: string, id: string): Promise<Task> {
  const task = await database.collection(taskCollection).get(id)
  if (task?.user_id !== userId) throw notFoundError.create({ what: 'task' })
  return task
}

type Work = (
  task: Task,
  at: { readonly transaction: Transaction; readonly now: string },
) => Promise<Controlled & { readonly isStored?: boolean }>

async function change({ database, clock, events }: TaskParts, userId: string, id: string, work: Work): Promise<Controlled> {
  return database.transaction(async (transaction) => {
    const task = await transaction.get(taskCollection, id)
    if (task?.user_id !== userId) throw notFoundError.create({ what: 'task' })
    const now = textOf(clock.now())
    const done = await work(task, { transaction, now })
    if (done.task === task) return done
    if (done.execution) transaction.put(executionCollection, done.execution)
    const stored = await saveTask(transaction, events, {
      before: task,
      after: done.task,
      now,
      ...(done.execution && { execution: done.execution }),
    })
    return { ...done, task: stored }
  })
}

/**
 * Runs a task now, beside its times; one that waits for a place already stays as it is. @throws
 * `task_cannot_run` for a reminder.
 */
export const runNow = (parts: TaskParts, userId: string, id: string): Promise<Controlled> =>
  change(parts, userId, id, async (task, { transaction, now }) => {
    if (task.kind === 'reminder') throw taskCannotRunError.create({ reason: 'A reminder has nothing to run. Change its time instead.' })
    if (task.queued !== null) {
      const waiting = await transaction.get(executionCollection, task.queued)
      // One that waits for its repetition, or whose task was paused, goes at once.
      const execution = waiting && { ...waiting, not_before: null, ...laneMembers({ ...task, paused: false }, waiting.lane_at ?? now) }
      return { task: { ...task, updated_at: now }, execution, stop: [] }
    }
    const open = { ...task, cancelled_at: null }
    const { task: after, execution } = queueExecution(open, { trigger: 'now', scheduledFor: null, represents: 1, now })
    return { task: after, execution: { ...execution, ...laneMembers({ ...task, paused: false }, now) }, stop: [] }
  })

/** Stops its times and what waits for a place; what is at work ends. */
export const pauseTask = (parts: TaskParts, userId: string, id: string): Promise<Controlled> =>
  change(parts, userId, id, async (task, { transaction }) => {
    if (task.paused) return { task, stop: [] }
    if (isFinal(task.status)) throw taskEndedError.create({ status: task.status, what: 'paused' })
    const waiting = task.queued === null ? undefined : await transaction.get(executionCollection, task.queued)
    const execution = waiting && { ...waiting, lane: null, lane_at: null }
    return { task: { ...task, paused: true, wake_at: null, follows_zone: null }, execution, stop: [] }
  })

/** Times that came during the pause are left out; one that happens once and is overdue happens now. */
export async function resumeTask(parts: TaskParts, userId: string, id: string): Promise<Controlled> {
  const zone = (await parts.accounts.get(userId))?.timezone ?? 'UTC'
  return change(parts, userId, id, async (task, { transaction, now }) => {
    if (!task.paused) {
      if (isFinal(task.status)) throw taskEndedError.create({ status: task.status, what: 'resumed' })
      return { task, stop: [] }
    }
    const resumed: Task = { ...task, paused: false, problem: null }
    const isPending = task.schedule !== null || task.next_at !== null
    const times = isPending ? plannedTimes(resumed, { zone, from: parts.clock.now() }) : {}
    const waiting = task.queued === null ? undefined : await transaction.get(executionCollection, task.queued)
    const place = waiting && waiting.not_before === null ? laneMembers(resumed, waiting.lane_at ?? now) : {}
    return { task: { ...resumed, ...times }, execution: waiting && { ...waiting, ...place }, stop: [] }
  })
}

/**
 * Cancels a task with what waits and what is at work, and the tasks that wait for nothing but it.
 * The state of what is at work follows when its run has stopped.
 */
export const cancelTask = (parts: TaskParts, userId: string, id: string, reason: string): Promise<Controlled> =>
  change(parts, userId, id, async (task, { transaction, now }) => {
    if (isFinal(task.status)) return { task, stop: [] }
    const waiting = task.queued === null ? undefined : await transaction.get(executionCollection, task.queued)
    const active = task.active === null ? undefined : await transaction.get(executionCollection, task.active)
    const asked = active && !isEnded(active) ? withCancel(active, reason, now) : undefined
    const dropped = waiting && !isEnded(waiting) ? droppedOf(waiting, reason, now) : undefined
    if (asked) transaction.put(executionCollection, asked)
    if (dropped) transaction.put(executionCollection, dropped)
    const last =
      dropped && !asked ? { execution_id: dropped.id, state: 'cancelled' as const, at: now, failure: dropped.failure } : task.last
    const after: Task = { ...task, ...withoutTimes(), backlog: [], queued: null, cancelled_at: now, paused: false, last }
    const execution = asked ?? dropped
    return { task: after, ...(execution && { execution }), stop: [asked, dropped].flatMap((each) => (each ? [each.id] : [])) }
  })

/** Cancels one execution; the task goes on with its next time. */
export async function cancelExecution(
  parts: TaskParts,
  at: { readonly userId: string; readonly taskId: string; readonly executionId: string },
  reason: string,
): Promise<Controlled> {
  return change(parts, at.userId, at.taskId, async (task, { transaction, now }) => {
    const execution = await transaction.get(executionCollection, at.executionId)
    if (execution?.task_id !== task.id) throw notFoundError.create({ what: 'execution' })
    if (isEnded(execution)) return { task, execution, stop: [] }
    if (execution.state !== 'queued') return { task: { ...task }, execution: withCancel(execution, reason, now), stop: [execution.id] }
    const dropped = droppedOf(execution, reason, now)
    const last = { execution_id: dropped.id, state: 'cancelled' as const, at: now, failure: dropped.failure }
    const counts = { ...task.counts, cancelled: task.counts.cancelled + 1 }
    return {
      task: { ...task, ...(task.queued === dropped.id && nothingQueued), last, counts },
      execution: dropped,
      stop: [dropped.id],
    }
  })
}

const nothingQueued = { ...nothingExpected, queued: null }

const withCancel = (execution: Execution, reason: string, at: string): Execution => ({
  ...execution,
  cancel: execution.cancel ?? { at, reason },
})

const droppedOf = (execution: Execution, reason: string, now: string): Execution => ({
  ...moved(withCancel(execution, reason, now), 'cancelled', now, reason),
  ...{ lane: null, lane_at: null, not_before: null, ended_at: now, failure: { code: 'task_cancelled', message: reason } },
})

/** Deletes a task that is not at work, with its history. @throws `task_cannot_run`. */
export async function removeTask(
  { database, events }: TaskParts,
  userId: string,
  id: string,
  also: (transaction: Transaction, task: Task) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const task = await transaction.get(taskCollection, id)
    if (task?.user_id !== userId) throw notFoundError.create({ what: 'task' })
    if (task.active !== null)
      throw taskCannotRunError.create({ reason: 'The task is at work. Cancel it first, and delete it when it has ended.' })
    if (task.queued !== null) transaction.delete(executionCollection, task.queued)
    await deleteTask(transaction, events, task)
    also(transaction, task)
  })
  const executions = database.collection(executionCollection)
  for (;;) {
    const page = await executions.query({ index: 'by_task', equals: [id], limit: 100 })
    if (page.items.length === 0) return
    await database.transaction(async (transaction) => {
      for (const execution of page.items) transaction.delete(executionCollection, execution.id)
    })
  }
}
