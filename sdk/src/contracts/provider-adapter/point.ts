import { defineContributionPoint } from '../../core/contribution-point.js'
import type { ProviderAdapter } from './adapter.js'

/** Families of model protocols. */
export const providerAdapters = defineContributionPoint<ProviderAdapter>()({
  id: 'provider.adapter',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (adapter) => adapter.id,
})
