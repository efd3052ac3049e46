import { api, type Schemas } from '../../api/index.js'

/** The person's agents that are switched on: at most the first hundred. */
export async function runnableAgents(): Promise<readonly Schemas['Agent'][]> {
  const { items } = await api.get('/api/agents', { query: { limit: 100 } })
  return items.filter(({ enabled }) => enabled)
}
