import { defineContributionPoint } from '../../core/contribution-point.js'
import type { UserData } from './user-data.js'

/**
 * Export, erasure and size of one user's data. The kernel refuses a per-user collection that no
 * contribution answers for.
 */
export const userData = defineContributionPoint<UserData>()({
  id: 'user.data',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (data) => data.id,
})
