import type { Query } from '@agent-service/sdk/web'
import { api, createQuery, type Schemas } from '../../api/index.js'

/** The person's agents that are switched on: at most the first hundred. */
export const createRunnableAgents = (): Query<readonly Schemas['Agent'][]> =>
  createQuery({
    key: () => ['agents'],
    async read(signal) {
      const { items } = await api.get('/api/agents', { query: { limit: 100 }, signal })
      return items.filter(({ enabled }) => enabled)
    },
  })
