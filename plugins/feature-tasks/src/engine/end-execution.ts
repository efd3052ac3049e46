import type { Run } from '@agent-service/sdk/services/runs'
import { bundle } from '../notifications/bundle.js'
import { notifyOfTask, shortCause, type TaskNotification } from '../notifications/notify-of-task.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, isEnded, moved } from '../store/execution.js'
import { queueExecution } from '../store/queue-execution.js'
import { saveTask } from '../store/save-task.js'
import { type Task, type TaskFailure, taskCollection } from '../store/task.js'
import { textOf } from '../times/plan-task.js'
import { withoutExpectedRun } from './late-runs.js'
import { releasePlaces } from './places.js'

/** How an attempt at an execution ended. */
export interface Ending {
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly failure?: TaskFailure
  /** Whether another attempt may succeed, and when at the earliest, in seconds. */
  readonly retry?: { readonly afterSeconds: number; readonly isCounted: boolean }
  readonly run?: Run
  readonly answer?: string
}

const maxAnswer = 20_000
/** The longest wait before another attempt, in seconds. */
const maxDelaySeconds = 6 * 3_600

/**
 * Stores the end of an attempt: the state, the place that becomes free, what its task does next, and
 * the events are one transaction. A second end changes nothing. Returns the execution as it is now
 * and the lane in which something waits.
 */
export async function endExecution(
  parts: TaskParts,
  id: string,
  ending: Ending,
): Promise<{ readonly execution: Execution; readonly lane: string | null } | undefined> {
  const { database, clock, events, metrics } = parts
  const ended = await database.transaction(async (transaction) => {
    const execution = await transaction.get(executionCollection, id)
    if (!execution || isEnded(execution)) return execution && { execution, lane: null, isNew: false }
    const task = await transaction.get(taskCollection, execution.task_id)
    const now = textOf(clock.now())
    releasePlaces(transaction, execution)
    const closed = withAttemptEnded(execution, ending, now)
    if (!task) {
      const orphan: Execution = { ...moved(closed, 'cancelled', now, 'The task was deleted.'), ended_at: now }
      transaction.put(executionCollection, orphan)
      return { execution: orphan, lane: null, isNew: true }
    }
    const retry = retryOf(task, execution, ending)
    if (retry !== undefined) {
      const notBefore = textOf(clock.now() + retry.delaySeconds * 1_000)
      // What was queued behind it meanwhile follows it, or is what the repetition stands for too.
      const later = task.queued === null || task.queued === id ? undefined : await transaction.get(executionCollection, task.queued)
      if (later) transaction.delete(executionCollection, later.id)
      const joined = task.missed === 'all' ? undefined : later
      const waiting: Execution = {
        ...moved(closed, 'queued', now, retry.note),
        ...{ not_before: notBefore, ...(joined && joinedTimes(execution, joined)) },
      }
      transaction.put(executionCollection, waiting)
      const backlog = task.missed === 'all' && later?.scheduled_for ? [later.scheduled_for, ...task.backlog] : task.backlog
      const after: Task = { ...task, active: null, active_state: null, queued: id, backlog }
      await saveTask(transaction, events, { before: task, after, now, execution: waiting })
      return { execution: waiting, lane: null, isNew: false, isRetry: true }
    }
    const { state, failure = null } = ending
    const last: Execution = {
      ...moved(closed, state, now, failure?.message ?? ''),
      ...{ failure, result: ending.run?.result ?? null, answer: ending.answer?.slice(0, maxAnswer) ?? null, ended_at: now },
    }
    transaction.put(executionCollection, last)
    const counts = { ...task.counts, [state]: task.counts[state] + 1 }
    const freed: Task = {
      ...task,
      ...(task.active === id ? { active: null, active_state: null } : {}),
      ...(task.queued === id ? { queued: null } : {}),
      ...{ counts, last: { execution_id: id, state, at: now, failure } },
    }
    const next = nextOfBacklog(withoutExpectedRun(freed, execution), now)
    if (next.execution) transaction.insert(executionCollection, next.execution)
    const told = notificationOf(next.task, last)
    await saveTask(transaction, events, { before: task, after: told?.task ?? next.task, now, execution: last })
    await notifyOfTask(parts.notifications, transaction, { task, execution: last, notification: told?.notification })
    return { execution: last, lane: next.execution?.lane ?? null, isNew: true }
  })
  if (ended?.isNew) metrics.ended(ended.execution.state, ended.execution.failure?.code)
  if (ended && 'isRetry' in ended) metrics.retried()
  return ended
}

/** The times of two executions as those of one. What has no time was to run without one. */
function joinedTimes(earlier: Execution, later: Execution): Pick<Execution, 'scheduled_for' | 'represents'> {
  const timed = [earlier, later].filter(({ scheduled_for }) => scheduled_for !== null)
  if (timed.length === 0) return { scheduled_for: null, represents: 1 }
  return { scheduled_for: timed.at(-1)?.scheduled_for ?? null, represents: timed.reduce((sum, { represents }) => sum + represents, 0) }
}

function withAttemptEnded(execution: Execution, { run, failure }: Ending, now: string): Execution {
  const attempts = execution.attempts.map((attempt, index) =>
    index < execution.attempts.length - 1 || attempt.ended_at !== null
      ? attempt
      : { ...attempt, ended_at: now, failure: failure ?? null, usage: run?.usage ?? attempt.usage },
  )
  return { ...execution, attempts, leases: [], lane: null, lane_at: null, not_before: null, waiting_for: null }
}

function retryOf(
  task: Task,
  execution: Execution,
  { state, retry, failure }: Ending,
): { readonly delaySeconds: number; readonly note: string } | undefined {
  if (state !== 'failed' || !retry || execution.cancel !== null || task.cancelled_at !== null) return undefined
  const failed = execution.attempts.filter((attempt) => attempt.failure !== null).length
  if (retry.isCounted && failed >= task.max_retries) return undefined
  const delay = task.retry_delay_secs * 2 ** Math.min(failed, 16)
  const delaySeconds = Math.min(maxDelaySeconds, Math.max(retry.afterSeconds, retry.isCounted ? delay : 0))
  return { delaySeconds, note: `${failure?.message ?? 'It failed.'} It is tried again in ${Math.ceil(delaySeconds)} seconds.` }
}

/** A missed time that is made up for follows the one before it. */
function nextOfBacklog(task: Task, now: string): { readonly task: Task; readonly execution?: Execution } {
  const [scheduledFor, ...backlog] = task.backlog
  if (scheduledFor === undefined || task.queued !== null || task.cancelled_at !== null) return { task }
  return queueExecution({ ...task, backlog }, { trigger: 'schedule', scheduledFor, represents: 1, now })
}

/** What its owner is told of an end, and the task that knows it. */
function notificationOf(task: Task, execution: Execution): { readonly task: Task; readonly notification: TaskNotification } | undefined {
  const { notify, kind, parent } = task
  // The task that waits for it reports instead.
  if (notify === 'never' || parent?.waits === true) return undefined
  if (execution.state === 'failed') return failureOf(task, execution)
  if (execution.state !== 'completed') return undefined
  if (kind === 'heartbeat') {
    const report = (execution.result?.value as { readonly report?: unknown } | undefined)?.report
    return typeof report === 'string' && report !== '' ? { task, notification: { kind: 'task.heartbeat', text: report } } : undefined
  }
  return notify === 'always' ? { task, notification: { kind: 'task.completed', text: execution.answer ?? '' } } : undefined
}

/** Each failure is in the list; e-mails bundle them. */
function failureOf(task: Task, { failure, ended_at }: Execution): { readonly task: Task; readonly notification: TaskNotification } {
  const { isTold, unsaid, next } = bundle(task.failures_told, ended_at ?? task.updated_at)
  const cause = shortCause(failure?.message ?? 'The task failed.')
  const more = unsaid === 1 ? 'once more' : `${unsaid} more times`
  const text = isTold && unsaid > 0 ? `${cause}\n\nIt has failed ${more} since the last e-mail about it.` : cause
  return { task: { ...task, failures_told: next }, notification: { kind: 'task.failed', text, ...(!isTold && { mail: false }) } }
}
