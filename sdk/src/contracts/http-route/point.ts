import { defineContributionPoint } from '../../core/contribution-point.js'
import type { HttpRoute } from './route.js'

/**
 * Routes. A built-in claims its prefixes in `manifest.routes`; a third party's paths start with
 * `/api/plugins/<id>/`. Overlapping paths are an error that names both owners.
 */
export const httpRoutes = defineContributionPoint<HttpRoute>()({
  id: 'http.route',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (route) => `${route.method} ${route.path}`,
})
