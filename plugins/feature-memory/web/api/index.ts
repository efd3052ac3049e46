import { createApi, createQueries, type Method, type AnswerOf as SomeAnswerOf } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The JSON of a successful answer. */
export type AnswerOf<M extends Method, P extends keyof paths> = SomeAnswerOf<paths, M, P>

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** What is read of this feature. */
export const { createQuery, createPagedQuery, invalidate } = createQueries<ServiceEvent>({
  'memory.updated': ({ data: { memory_id: id } }) => [
    ['memories'],
    id === undefined ? ['memory'] : ['memory', id],
    ...[['status'], ['kinds'], ['passes'], ['revisions']],
  ],
  'space.updated': () => [['spaces']],
  'space.deleted': () => [['spaces']],
})
