import { defineContributionPoint } from '../../core/contribution-point.js'
import type { WebSocketRoute } from './route.js'

/**
 * Routes that answer with a WebSocket. A built-in claims its prefixes in `manifest.routes`; a third
 * party's paths start with `/api/plugins/<id>/`. Such a route takes the `GET` of its path: an HTTP
 * route for it is an error that names both owners.
 */
export const websocketRoutes = defineContributionPoint<WebSocketRoute>()({
  id: 'websocket.route',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (route) => route.path,
})
