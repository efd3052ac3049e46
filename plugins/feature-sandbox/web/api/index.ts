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

/** What is read of this feature. Its lists and pages of processes take those that come with events. */
export const { createQuery, createPagedQuery } = createQueries<ServiceEvent>({
  'sandbox.process.started': () => [['all-processes']],
  'sandbox.process.ended': () => [['all-processes']],
})
