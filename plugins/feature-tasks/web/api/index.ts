import { createApi, createEvents, createQueries } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** Calls a function for each event of a name, and returns the undo. */
export const onEvent = createEvents<ServiceEvent>()

/**
 * What is read here: `['tasks', kind, …]` and `['runs', task]` are lists, `['task', id, …]` and `['run', id, …]` are of one, and
 * `['children', id]` is what a task created, of which an event does not say by which one.
 */
export const { createQuery, createPagedQuery } = createQueries<ServiceEvent>({
  'task.updated': ({ data: { kind, task_id, status, execution } }) => [
    ...[['tasks', kind], ['children']],
    ...(status === 'deleted' ? [] : [['task', task_id]]),
    ...(execution
      ? [
          ['runs', task_id],
          ['run', execution.id],
        ]
      : []),
  ],
})
