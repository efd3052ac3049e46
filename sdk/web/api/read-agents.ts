import { api } from './client.js'
import { pageQuery, readAll } from './read-all.js'
import type { Schemas } from './types.js'

/** An agent as others name it. */
export type NamedAgent = Pick<Schemas['Agent'], 'id' | 'name' | 'handle'>

/** All agents of the person. */
export const readAgents = async (signal?: AbortSignal): Promise<readonly NamedAgent[]> =>
  readAll((cursor) => api.get('/api/agents', { query: pageQuery(cursor), ...(signal && { signal }) }))
