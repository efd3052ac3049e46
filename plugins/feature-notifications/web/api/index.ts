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

/** What is read here. An event has all of a notification that is new; without an id it is about all of them. */
export const { createQuery, createPagedQuery, sharedQuery } = createQueries<ServiceEvent>({
  'notification.updated': ({ data }) => (data.notification_id === null ? [['notifications']] : []),
})
