import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { HttpSite } from './site.js'

/** Makes a site. */
export function defineSite(definition: ContributionDefinition<HttpSite>): HttpSite {
  return Object.freeze<HttpSite>({ ...definition, specVersion: 1 })
}
