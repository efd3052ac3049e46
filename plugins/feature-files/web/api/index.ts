import { createApi, createQueries } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** What is read of this feature. Nothing tells of changes of files: they are said here, by whoever makes them. */
export const { createQuery, createPagedQuery, sharedQuery, invalidate } = createQueries()
