import type { Transaction } from '@agent-service/sdk/services/database'
import { notifyOfTask } from '../notifications/notify-of-task.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, isEnded, moved } from '../store/execution.js'
import { saveTask } from '../store/save-task.js'
import { type Task, taskCollection } from '../store/task.js'
import { textOf } from '../times/plan-task.js'
import { readPlaces, releasePlaces, takePlaces } from './places.js'

/** The execution gives its place away while its calls wait for other tasks. */
export async function lendPlace(parts: TaskParts, id: string): Promise<void> {
  await parts.database.transaction(async (transaction) => {
    await putWaiting(parts, transaction, id, { for: 'tasks', text: 'It waits for tasks that it created.' })
  })
}

/** The execution does no work while it waits for a person, so it gives its place away. */
export async function waitForPerson(parts: TaskParts, id: string): Promise<void> {
  await parts.database.transaction(async (transaction) => {
    const begun = await putWaiting(parts, transaction, id, { for: 'person', text: 'It waits for an answer of a person.' })
    const notification = { kind: 'task.waiting', text: 'The task waits for an answer of yours.' } as const
    if (begun) await notifyOfTask(parts.notifications, transaction, { ...begun, notification })
  })
}

/** Stores that an execution waits, without its place. `undefined` if it is not at work. */
async function putWaiting(
  { clock, events }: TaskParts,
  transaction: Transaction,
  id: string,
  reason: { readonly for: 'tasks' | 'person'; readonly text: string },
): Promise<{ readonly task: Task; readonly execution: Execution } | undefined> {
  const found = await transaction.get(executionCollection, id)
  const task = found && (await transaction.get(taskCollection, found.task_id))
  if (!task || (found.state !== 'running' && found.state !== 'starting')) return undefined
  const now = textOf(clock.now())
  releasePlaces(transaction, found)
  const execution: Execution = { ...moved(found, 'waiting', now, reason.text), waiting_for: reason.for, leases: [] }
  transaction.put(executionCollection, execution)
  await saveTask(transaction, events, { before: task, after: { ...task, active_state: 'waiting' }, now, execution })
  return { task, execution }
}

/**
 * The execution takes a place again. False if there is none for it now, and with `isFirst` if its
 * user has another one. True also if it has one, or has ended.
 */
export async function takeBack(parts: TaskParts, id: string, { isFirst }: { readonly isFirst: boolean }): Promise<boolean> {
  const { database, clock, events, limits } = parts
  const places = await readPlaces(parts)
  return database.transaction(async (transaction) => {
    const execution = await transaction.get(executionCollection, id)
    const task = execution && (await transaction.get(taskCollection, execution.task_id))
    if (!task || isEnded(execution) || execution.state !== 'waiting' || execution.agent_id === null) return true
    if (isFirst && places.ofUser(execution.user_id) > 0) return false
    const now = textOf(clock.now())
    const ids = places.free({ user_id: execution.user_id, agent_id: execution.agent_id })
    if (!ids || !(await takePlaces(transaction, ids, { execution, places, limits, now }))) return false
    const running: Execution = { ...moved(execution, 'running', now), waiting_for: null, leases: ids }
    transaction.put(executionCollection, running)
    await saveTask(transaction, events, { before: task, after: { ...task, active_state: 'working' }, now, execution: running })
    return true
  })
}
