import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { auditService } from '@agent-service/sdk/services/audit'
import { databaseService } from '@agent-service/sdk/services/database'
import { webPagesService } from '@agent-service/sdk/services/web-pages'
import { contentSecurityPolicy } from './content-security-policy.js'
import { progressCollection } from './set-up/set-up-progress.js'
import { createSetUpRoutes, setUpPath } from './set-up/set-up-routes.js'

/** The built console, beside the compiled plugin. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** The web console, served at `/`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-console',
    apiVersion: 1,
    description: 'The web console: chats, agents and administration in the browser.',
    contributes: ['http.route'],
    routes: [setUpPath],
  },
  collections: [progressCollection],
  setup(context) {
    context.use(webPagesService).serve({ folder, contentSecurityPolicy })
    const parts = { database: context.use(databaseService), audit: context.use(auditService) }
    for (const route of createSetUpRoutes(parts)) context.contribute(httpRoutes, route)
  },
})
export default plugin
