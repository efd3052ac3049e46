import { createApi, createEvents, createQueries, type Method, type AnswerOf as SomeAnswerOf } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The JSON of a successful answer. */
export type AnswerOf<M extends Method, P extends keyof paths> = SomeAnswerOf<paths, M, P>

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** Calls a function for each event of a name, and returns the undo. */
export const onEvent = createEvents<ServiceEvent>()

/** What the screens of this folder read; no event tells of its changes. */
export const { createQuery, createPagedQuery, invalidate } = createQueries()
