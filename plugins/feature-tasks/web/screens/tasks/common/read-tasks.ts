import { createLoaded, isProblem, type Loaded, type ListPage as Page } from '@agent-service/sdk/web'
import { onCleanup } from 'solid-js'
import { api, type Schemas } from '../../../api/index.js'
import type { Kind, Status, Task, TaskDetails } from './task.js'

export interface TaskFilter {
  readonly kind: Kind
  readonly status: Status | ''
  readonly agentId: string
}

const pageSize = 50

/** A page of tasks. The service may answer with none although more follow: then it goes on. */
export async function readTasks({ kind, status, agentId }: TaskFilter, cursor: string | undefined): Promise<Page<Task>> {
  const query = { kind, limit: pageSize, ...(status !== '' && { status }), ...(agentId !== '' && { agent_id: agentId }) }
  let from = cursor
  for (;;) {
    const page = await api.get('/api/tasks', { query: { ...query, ...(from !== undefined && { cursor: from }) } })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

/** A page of the tasks that happen again and again. */
export async function readSchedules(cursor: string | undefined): Promise<Page<Task>> {
  let from = cursor
  for (;;) {
    const query = { kind: 'task' as const, repeats: true, limit: 200, ...(from !== undefined && { cursor: from }) }
    const page = await api.get('/api/tasks', { query })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

/** A task; `undefined`: it is gone. */
export async function readTask(id: string): Promise<TaskDetails | undefined> {
  try {
    return await api.get('/api/tasks/{task_id}', { path: { task_id: id } })
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined
    throw error
  }
}

export type Agent = Schemas['Agent']

/** The person's agents, at most 200. */
export const createAgents = (): Loaded<readonly Agent[]> =>
  createLoaded(async (signal) => (await api.get('/api/agents', { query: { limit: 200 }, signal })).items)

/** More changes than that are read as a whole. */
const maxSingle = 10

/**
 * Reads again what has changed, one after the other; what changes several times meanwhile is read
 * once. `all` is for many changes at once, and after a failure, which it shows.
 */
export function createRefresher(one: (id: string) => Promise<void>, all: () => Promise<void>): (id: string) => void {
  const waiting = new Set<string>()
  let isBusy = false
  let isGone = false
  onCleanup(() => {
    isGone = true
  })
  const work = async (): Promise<void> => {
    isBusy = true
    while (waiting.size > 0 && !isGone) {
      const ids = [...waiting]
      waiting.clear()
      if (ids.length > maxSingle) await all()
      else for (const id of ids) await one(id).catch(all)
    }
    isBusy = false
  }
  return (id) => {
    waiting.add(id)
    if (!isBusy) void work()
  }
}
