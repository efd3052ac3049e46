import type { JsonObject } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Execution } from './execution.js'
import { openTasksCollection } from './lease.js'
import { isFinal, settled, type Task, taskCollection } from './task.js'

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
    /** Nothing that a person watches has changed. */
    readonly isSilent?: boolean
  },
): Promise<Task> {
  const { before, execution, now } = change
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
