import { defineContributionPoint } from '../../core/contribution-point.js'
import type { MemoryBackend } from './memory-backend.js'

/**
 * What agents remember beyond a chat. `memory.backend` of the configuration picks one by its id;
 * without any, agents remember nothing.
 */
export const memoryBackends = defineContributionPoint<MemoryBackend>()({
  id: 'memory.backend',
  cardinality: 'slot',
  specVersions: [1],
  keyOf: (backend) => backend.id,
})
