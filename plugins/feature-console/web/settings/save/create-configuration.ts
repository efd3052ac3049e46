import type { Query } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { api, createQuery } from '../../api/index.js'
import { loadDescriptions } from '../words/descriptions.js'

/** The configuration with the words of its settings. Whoever edits it decides when it is read again: edits are to be settled with it. */
export const createConfiguration = (): Query<Configuration> =>
  createQuery({
    key: () => ['configuration'],
    follow: false,
    read: async (signal) => {
      const [found] = await Promise.all([api.get('/api/admin/config', { signal }), loadDescriptions()])
      return found
    },
  })
