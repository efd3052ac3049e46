import { definePlugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { counters, openCounters } from './counters.js'
import { tallyPanel } from './panel.js'
import { createRoutes } from './routes.js'
import { createUserData } from './user-data.js'

/** Counts things in the web console. Shows a screen that a third party makes of the console's own kit. */
export default definePlugin({
  manifest: {
    id: 'panel-tally',
    apiVersion: 1,
    description: 'Counts things in the web console.',
    contributes: ['http.route', 'console.panel', 'user.data'],
    permissions: [{ kind: 'console', reason: 'Shows what you count, and lets you count from the command palette.' }],
  },
  collections: [counters],
  setup(context) {
    const database = context.use(databaseService)
    const routes = createRoutes(openCounters(database, context.use(clockService)))
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(consolePanels, tallyPanel)
    context.contribute(userData, createUserData(database))
  },
})
