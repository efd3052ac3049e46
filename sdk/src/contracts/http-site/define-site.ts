import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { HttpSite } from './site.js'

/**
 * Makes a site.
 *
 * @example
 * defineSite({
 *   host: '*.apps.localhost',
 *   handle: async () => ({ status: 404, headers: [] }),
 * })
 */
export function defineSite(definition: ContributionDefinition<HttpSite>): HttpSite {
  return Object.freeze<HttpSite>({ ...definition, specVersion: 1 })
}
