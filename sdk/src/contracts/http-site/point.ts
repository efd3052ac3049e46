import { defineContributionPoint } from '../../core/contribution-point.js'
import type { HttpSite } from './site.js'

/**
 * Host names whose requests go to a plugin and never to the API. For built-ins, which claim them in
 * `manifest.hosts`. A name that is claimed twice is an error that names both owners; the service's
 * own names cannot be claimed.
 */
export const httpSites = defineContributionPoint<HttpSite>()({
  id: 'http.site',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (site) => site.host,
})
