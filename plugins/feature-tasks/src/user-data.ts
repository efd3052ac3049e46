import type { HandOverItem, UserData } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, type DocumentsPlace, documentsOf } from '@agent-service/sdk/services/database'
import type { TaskParts } from './parts/task-parts.js'
import { executionCollection } from './store/execution.js'
import { leaseCollection, openTasksCollection } from './store/lease.js'
import { isFinal, taskCollection } from './store/task.js'
import { cancelExecution, cancelTask, pauseTask } from './tasks/control-task.js'

/** In the order in which they are erased: without its task no execution begins. */
export const collections: readonly CollectionDefinition[] = [taskCollection, executionCollection, leaseCollection, openTasksCollection]

const declared: Pick<UserData, 'specVersion' | 'id' | 'collections' | 'shownBy'> = {
  specVersion: 1,
  id: 'tasks',
  collections: collections.map(({ name }) => name),
  shownBy: ['listTasks', 'getTask', 'getTaskTree', 'listTaskExecutions', 'getTaskExecution', 'getTaskExecutionLog'],
}

/** Without a database, as in `doctor`: no tasks of anyone. */
export const noTaskUserData: UserData = {
  ...declared,
  async *export() {
    yield* []
  },
  erase: async () => undefined,
  size: async () => ({ records: 0, bytes: 0 }),
}

/** Export, erasure and size of one user's tasks and their history. */
export function createTaskUserData(parts: TaskParts, stopRun: (executionId: string) => void): UserData {
  const { database } = parts
  return {
    ...declared,
    async *export(userId, { signal }) {
      for (const collection of collections.slice(0, 2))
        for await (const document of documentsOf(database, collection, at(userId, signal)))
          yield { path: `${collection.name.replace('tasks.', 'tasks/')}/${document.id}.json`, json: JSON.parse(JSON.stringify(document)) }
    },
    async erase(userId, { signal }) {
      for await (const task of documentsOf(database, taskCollection, at(userId, signal))) {
        const { stop } = await cancelTask(parts, userId, task.id, 'The account was deleted.')
        for (const id of stop) stopRun(id)
      }
      for (const collection of collections) {
        for (;;) {
          signal.throwIfAborted()
          const page = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: 100 })
          if (page.items.length === 0) break
          await database.transaction(async (transaction) => {
            for (const { id } of page.items) transaction.delete(collection, id)
          })
        }
      }
    },
    handOver: (userId, { signal }) => pauseAll(parts, stopRun, at(userId, signal)),
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections)
        for await (const document of documentsOf(database, collection, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  }
}

/** A new holder of the account decides which tasks go on; what is at work ends. */
async function pauseAll(parts: TaskParts, stopRun: (executionId: string) => void, place: DocumentsPlace): Promise<readonly HandOverItem[]> {
  let count = 0
  for await (const { id, user_id: userId, status, paused, active } of documentsOf(parts.database, taskCollection, place)) {
    if (isFinal(status)) continue
    if (!paused) {
      await pauseTask(parts, userId, id)
      count += 1
    }
    if (active === null) continue
    const { stop } = await cancelExecution(parts, { userId, taskId: id, executionId: active }, 'The account got another holder.')
    for (const executionId of stop) stopRun(executionId)
  }
  return [{ what: 'scheduled tasks, now paused', count, outcome: 'ended' }]
}

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal })
