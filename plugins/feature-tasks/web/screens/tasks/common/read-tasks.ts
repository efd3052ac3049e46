import { isProblem, type QueryPage as Page, type Query } from '@agent-service/sdk/web'
import { api, createQuery, type Schemas } from '../../../api/index.js'
import type { Kind, Status, Task, TaskDetails } from './task.js'

export interface TaskFilter {
  readonly kind: Kind
  readonly status: Status | ''
  readonly agentId: string
}

const pageSize = 50

/** A page of tasks. The service may answer with none although more follow: then it goes on. */
export async function readTasks(
  { kind, status, agentId }: TaskFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Task>> {
  const query = { kind, limit: pageSize, ...(status !== '' && { status }), ...(agentId !== '' && { agent_id: agentId }) }
  let from = cursor
  for (;;) {
    const page = await api.get('/api/tasks', { query: { ...query, ...(from !== undefined && { cursor: from }) }, signal })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

/** A page of the tasks that happen again and again. */
export async function readSchedules(cursor: string | undefined, signal: AbortSignal): Promise<Page<Task>> {
  let from = cursor
  for (;;) {
    const query = { kind: 'task' as const, repeats: true, limit: 200, ...(from !== undefined && { cursor: from }) }
    const page = await api.get('/api/tasks', { query, signal })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

/** A task; `undefined`: it is gone. */
export async function readTask(id: string, signal: AbortSignal): Promise<TaskDetails | undefined> {
  try {
    return await api.get('/api/tasks/{task_id}', { path: { task_id: id }, signal })
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined
    throw error
  }
}

export type Agent = Schemas['Agent']

/** The person's agents, at most 200. */
export const createAgents = (): Query<readonly Agent[]> =>
  createQuery({
    key: () => ['agents'],
    read: async (signal) => (await api.get('/api/agents', { query: { limit: 200 }, signal })).items,
  })

/** The model groups of the service, at most 200. */
export const createModels = (): Query<readonly Schemas['ModelGroup'][]> =>
  createQuery({
    key: () => ['models'],
    read: async (signal) => (await api.get('/api/models', { query: { limit: 200 }, signal })).items,
  })
