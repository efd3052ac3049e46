import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { SearchProvider } from './search-provider.js'

/**
 * Makes a search provider.
 *
 * @example
 * const createTownSearch = (search: SearchProvider['search']) =>
 *   defineSearchProvider({ id: 'town', title: 'Town search', keyVariable: 'TOWN_API_KEY', search })
 */
export function defineSearchProvider(definition: ContributionDefinition<SearchProvider>): SearchProvider {
  return Object.freeze<SearchProvider>({ ...definition, specVersion: 1 })
}
