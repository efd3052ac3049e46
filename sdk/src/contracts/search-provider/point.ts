import { defineContributionPoint } from '../../core/contribution-point.js'
import type { SearchProvider } from './search-provider.js'

/** Search engines of the web. `search.provider` of the configuration picks one by its id. */
export const searchProviders = defineContributionPoint<SearchProvider>()({
  id: 'search.provider',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (provider) => provider.id,
})
