import type { Transaction } from '@agent-service/sdk/services/database'
import { bundle } from '../notifications/bundle.js'
import { notifyOfTask, shortCause } from '../notifications/notify-of-task.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection } from '../store/execution.js'
import { nothingExpected, type Task, type TaskFailure } from '../store/task.js'
import { textOf } from '../times/plan-task.js'

/** The task of which a run is expected for a time. The older of two times counts until a run has begun. */
export function withExpectedRun(task: Task, at: { readonly scheduledFor: string; readonly wakeAt: string }, lateMs: number): Task {
  const expected: Task = { ...task, unstarted_at: task.unstarted_at ?? at.scheduledFor }
  if (task.alarm_at !== null) return expected
  return { ...expected, alarm_at: textOf(Date.parse(at.wakeAt) + lateMs), alarm_for: at.scheduledFor }
}

/** The task after its expected run has begun, in time unless the alarm was given. */
export function withBegunRun(task: Task, execution: Execution): Task {
  if (!isExpected(task, execution)) return task
  return { ...task, ...nothingExpected, late: task.alarm_at === null ? task.late : null }
}

/** The task after what was expected has ended without a run: its owner is told of that, or has ended it. */
export const withoutExpectedRun = (task: Task, execution: Execution): Task =>
  isExpected(task, execution) ? { ...task, ...nothingExpected } : task

/** Whether an execution is for what is expected, not for an older time that is made up for. */
const isExpected = ({ unstarted_at }: Task, { scheduled_for }: Execution): boolean =>
  unstarted_at !== null && scheduled_for !== null && scheduled_for >= unstarted_at

/** Whether the alarm about a task is due. */
export const isAlarmDue = ({ alarm_at }: Pick<Task, 'alarm_at'>, now: string): boolean => alarm_at !== null && alarm_at <= now

export const notNoticed: TaskFailure = {
  code: 'not_noticed',
  message: 'The service did not run then, or could not look at its tasks.',
}

/** Why nothing was done for so many times. */
export const leftOut = (times: number): TaskFailure => ({
  code: 'left_out',
  message: `${notNoticed.message} The task leaves missed times out${times > 1 ? `: this one and ${times - 1} after it` : ''}.`,
})

/**
 * Gives the alarm about a planned time, once: the task as it knows it, and the notification in the same
 * transaction. Of one task it is told at most once in 20 hours.
 */
export async function giveAlarm(
  { notifications, clock, accounts }: Pick<TaskParts, 'notifications' | 'clock' | 'accounts'>,
  transaction: Transaction,
  task: Task,
  { scheduledFor, reason }: { readonly scheduledFor: string; readonly reason: TaskFailure },
): Promise<Task> {
  if (task.late?.scheduled_for === scheduledFor) return { ...task, ...given }
  const now = textOf(clock.now())
  const { isTold, unsaid, next } = bundle(task.late_told, now)
  const isWanted = task.notify !== 'never' && task.parent?.waits !== true
  const again = unsaid === 0 ? '' : ` It was late ${unsaid === 1 ? 'once more' : `${unsaid} more times`} since you were last told.`
  // What happens once has no zone of its own.
  const zone = task.zone ?? (await accounts.get(task.user_id))?.timezone ?? 'UTC'
  const text = `No run began at ${timeOf(scheduledFor, zone)}. ${reason.message}${again}`
  await notifyOfTask(notifications, transaction, {
    ...{ task, key: `${task.id}/${scheduledFor}` },
    notification: isTold && isWanted ? { kind: 'task.late', text } : undefined,
  })
  return { ...task, ...given, late: { scheduled_for: scheduledFor, noticed_at: now, ...reason }, late_told: next }
}

const given = { alarm_at: null, alarm_for: null } as const

/** Gives the alarm about what is expected, with what keeps it from beginning. */
export const giveDueAlarm = async (
  parts: Pick<TaskParts, 'notifications' | 'clock' | 'accounts'>,
  transaction: Transaction,
  task: Task,
): Promise<Task> => {
  const reason = await readLateReason(transaction, task)
  return giveAlarm(parts, transaction, task, { scheduledFor: task.alarm_for ?? textOf(parts.clock.now()), reason })
}

/** Why an alarm was given between two states of a task; undefined: none was. */
export const lateNow = (before: Task, after: Task): string | undefined => (after.late === before.late ? undefined : after.late?.code)

/** Why no run has begun for what is expected. */
async function readLateReason(transaction: Transaction, task: Task): Promise<TaskFailure> {
  const active = task.active === null ? undefined : await transaction.get(executionCollection, task.active)
  if (active && !isExpected(task, active)) return task.active_state === 'waiting' ? earlierWaits : earlierAtWork
  if (active) return { code: 'starting', message: 'Its run is still being started.' }
  const queued = task.queued === null ? undefined : await transaction.get(executionCollection, task.queued)
  if (!queued) return notNoticed
  const failure = queued.not_before === null ? undefined : queued.attempts.at(-1)?.failure
  return failure ? { code: 'attempt_failed', message: `It is tried again: ${shortCause(failure.message)}` } : noPlace
}

const earlierAtWork: TaskFailure = { code: 'earlier_at_work', message: 'Its run before is still at work.' }
const earlierWaits: TaskFailure = {
  code: 'earlier_waits',
  message: 'Its run before still waits, for an answer of a person or for other tasks.',
}
const noPlace: TaskFailure = { code: 'no_place', message: 'It waits for a place, since other tasks are at work.' }

function timeOf(moment: string, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(moment))
  return `${text} (${timeZone})`
}
