import type { JsonObject } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import type { Execution } from './execution.js'
import { openTasksCollection } from './lease.js'
import { isFinal, settled, type Task, taskCollection } from './task.js'

/** What `notification.created` says of a task. */
export interface TaskNotification {
  readonly reason: 'reminder' | 'task_completed' | 'task_failed' | 'task_waiting' | 'heartbeat'
  readonly title: string
  readonly text: string
}

/** The longest text of a notification; the execution has the whole. */
const maxNotifiedText = 1_000

/**
 * Writes a changed task with its status, its event, and the count of its user's open tasks. Returns
 * it as it is stored.
 */
export async function saveTask(
  transaction: Transaction,
  events: Pick<Events, 'record'>,
  change: {
    readonly before: Task | undefined
    readonly after: Task
    readonly now: string
    readonly execution?: Execution
    readonly notification?: TaskNotification | undefined
    /** Nothing that a person watches has changed. */
    readonly isSilent?: boolean
  },
): Promise<Task> {
  const { before, execution, notification, now } = change
  const task = settled(change.after, now)
  transaction.put(taskCollection, task)
  await countOpen(transaction, task, (isOpen(task) ? 1 : 0) - (isOpen(before) ? 1 : 0))
  const { user_id: userId } = task
  const attempt = execution?.attempts.at(-1)
  const run: JsonObject = {
    ...(attempt?.run_id == null ? {} : { run_id: attempt.run_id }),
    ...(attempt?.chat_id == null ? {} : { chat_id: attempt.chat_id }),
  }
  if (!change.isSilent) events.record(transaction, { userId, name: 'task.updated', data: { ...dataOf(task, execution), ...run } })
  if (notification) {
    const { reason, title, text } = notification
    const data = { notification_id: uuidv7(), reason, title, text: text.slice(0, maxNotifiedText), task_id: task.id, ...run }
    events.record(transaction, { userId, name: 'notification.created', data: { ...data, execution_id: execution?.id ?? null } })
  }
  return task
}

/** Deletes a task with its event and its part of the count. */
export async function deleteTask(transaction: Transaction, events: Pick<Events, 'record'>, task: Task): Promise<void> {
  transaction.delete(taskCollection, task.id)
  await countOpen(transaction, task, isOpen(task) ? -1 : 0)
  events.record(transaction, { userId: task.user_id, name: 'task.updated', data: { ...dataOf(task, undefined), status: 'deleted' } })
}

const isOpen = (task: Task | undefined): boolean => task !== undefined && !isFinal(task.status)

async function countOpen(transaction: Transaction, { user_id }: Task, change: number): Promise<void> {
  if (change === 0) return
  const known = await transaction.get(openTasksCollection, user_id)
  transaction.put(openTasksCollection, { id: user_id, user_id, count: Math.max(0, (known?.count ?? 0) + change) })
}

function dataOf({ id, kind, title, status, next_at }: Task, execution: Execution | undefined): JsonObject {
  const of = execution && {
    id: execution.id,
    state: execution.state,
    failure: execution.failure && { code: execution.failure.code, message: execution.failure.message },
    waiting_for: execution.waiting_for,
  }
  return { task_id: id, kind, title, status, next_at, execution: of ?? null }
}
