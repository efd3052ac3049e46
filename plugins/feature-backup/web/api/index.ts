import { createApi, createEvents, createQueries, type Method, type AnswerOf as SomeAnswerOf } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The JSON of a successful answer. */
export type AnswerOf<M extends Method, P extends keyof paths> = SomeAnswerOf<paths, M, P>

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** Calls a function for each event of a name, and returns the undo. */
export const onEvent = createEvents<ServiceEvent>()

/** What is read here: the state, and the list. */
export const { createQuery, createPagedQuery, invalidate } = createQueries<ServiceEvent>({
  'backup.updated': () => [['status'], ['backups']],
})
