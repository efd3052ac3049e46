import { createApi, createQueries } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** What is read of this feature. The vaults of the service have no events of a person. */
export const { createQuery, createPagedQuery, invalidate } = createQueries<ServiceEvent>({
  'credential.updated': () => [['overview'], ['log'], ['granted']],
  'vault.updated': ({ data }) => [['overview'], ['log'], ['vaults'], ['vault', data.vault_id]],
  'agent.deleted': () => [['overview']],
  'approval.requested': () => [['requests']],
  'approval.resolved': () => [['requests'], ['log']],
})
