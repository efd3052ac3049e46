import { createApi, createQueries } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** What is read here of skills: the lists, and one of them by its name. What an editor shows is not read again under it. */
export const { createQuery } = createQueries<ServiceEvent>({
  'skill.updated': ({ data }) => [['skills'], ['skill', data.name]],
})
