import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, isEnded, moved } from '../store/execution.js'
import { saveTask } from '../store/save-task.js'
import { taskCollection } from '../store/task.js'
import { textOf } from '../times/plan-task.js'
import { readPlaces, releasePlaces, takePlaces } from './places.js'

/** The execution gives its place away while its calls wait for other tasks. */
export async function lendPlace({ database, clock, events }: TaskParts, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const execution = await transaction.get(executionCollection, id)
    const task = execution && (await transaction.get(taskCollection, execution.task_id))
    if (!task || (execution.state !== 'running' && execution.state !== 'starting')) return
    const now = textOf(clock.now())
    releasePlaces(transaction, execution)
    const waiting: Execution = {
      ...moved(execution, 'waiting', now, 'It waits for tasks that it created.'),
      waiting_for: 'tasks',
      leases: [],
    }
    transaction.put(executionCollection, waiting)
    await saveTask(transaction, events, { before: task, after: { ...task, active_state: 'waiting' }, now, execution: waiting })
  })
}

/**
 * The execution takes a place again. False if there is none now. True also if it has one, or has
 * ended.
 */
export async function takeBack(parts: TaskParts, id: string): Promise<boolean> {
  const { database, clock, events } = parts
  const places = await readPlaces(parts)
  return database.transaction(async (transaction) => {
    const execution = await transaction.get(executionCollection, id)
    const task = execution && (await transaction.get(taskCollection, execution.task_id))
    if (!task || isEnded(execution) || execution.state !== 'waiting' || execution.agent_id === null) return true
    const now = textOf(clock.now())
    const ids = places.free(execution.agent_id)
    if (!ids || !(await takePlaces(transaction, ids, execution, now))) return false
    const running: Execution = { ...moved(execution, 'running', now), waiting_for: null, leases: ids }
    transaction.put(executionCollection, running)
    await saveTask(transaction, events, { before: task, after: { ...task, active_state: 'working' }, now, execution: running })
    return true
  })
}
