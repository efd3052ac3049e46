import { createApi, createQueries, type Method, type RequestOf as SomeRequestOf } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** What a request is made of: the path's parameters, the query and the body. */
export type RequestOf<M extends Method, P extends keyof paths> = SomeRequestOf<paths, M, P>

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** What is read of this feature: `usage`, `budgets`, `providers`, `models`, `offer`. */
export const { createQuery, invalidate } = createQueries<ServiceEvent>({
  'usage.recorded': () => [['usage', 'own']],
  'run.failed': () => [['usage', 'own']],
})
