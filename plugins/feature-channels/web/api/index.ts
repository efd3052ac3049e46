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
 * What is read here of connections: all of them, one, the people it knows, what was sent over it, and the conversations. A pairing or
 * a delivery changes the connection too.
 */
export const { createQuery, createPagedQuery, invalidate } = createQueries<ServiceEvent>({
  'channel.updated': ({ data: { connection_id: id, change } }) => [
    ['connections'],
    ...(change === 'deleted' ? [] : [['connection', id]]),
    ...(change === 'pairing' ? [['people', id]] : []),
    ...(change === 'delivery' ? [['sent', id]] : []),
  ],
  // A conversation begins with its chat.
  'chat.created': () => [['conversations']],
  'chat.deleted': () => [['conversations']],
})
