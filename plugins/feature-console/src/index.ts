import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { webPagesService } from '@agent-service/sdk/services/web-pages'
import { contentSecurityPolicy, permissionsPolicy } from './content-security-policy.js'
import { createDiagramFrameRoute } from './diagrams/diagram-frame-route.js'
import { createPageFrameRoute } from './pages/page-frame-route.js'
import { announcePanels, panelsChanged } from './panels/announce-panels.js'
import { createFrameRoute } from './panels/frame-route.js'
import { createListPanelsRoute } from './panels/list-panels-route.js'
import { createPanelScreens } from './panels/panel-screens.js'
import { progressCollection } from './set-up/set-up-progress.js'
import { createSetUpRoutes, setUpPath } from './set-up/set-up-routes.js'

/** The built console, beside the compiled plugin. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** The web console, served at `/`, and what it knows of the panels of other plugins. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-console',
    apiVersion: 1,
    description: 'The web console: chats, agents and administration in the browser.',
    contributes: ['http.route'],
    routes: ['/api/console', setUpPath],
    tags: { console: 'What plugins add to the web console.' },
    events: {
      [panelsChanged]: {
        description: 'Panels of plugins came or went. Read the list again.',
        schema: Type.Object({}),
      },
    },
  },
  collections: [progressCollection],
  setup(context) {
    const contributions = context.use(contributionsService)
    const screens = createPanelScreens({ contributions, log: context.log })
    context.use(webPagesService).serve({ folder, contentSecurityPolicy, permissionsPolicy, pluginFolders: screens.foldersOf })
    const parts = { database: context.use(databaseService), audit: context.use(auditService), contributions }
    for (const route of createSetUpRoutes(parts)) context.contribute(httpRoutes, route)
    context.contribute(httpRoutes, createListPanelsRoute({ contributions, screens }))
    const bridgeFiles = ['frame-port.js', 'panel-frame.js'].map((name) => path.join(folder, name))
    context.contribute(httpRoutes, createFrameRoute({ contributions, bridgeFiles }))
    context.contribute(httpRoutes, createDiagramFrameRoute({ folder }))
    context.contribute(httpRoutes, createPageFrameRoute({ folder }))
    const [events, clock] = [context.use(eventsService), context.use(clockService)]
    context.onDispose(announcePanels({ contributions, events, clock, log: context.log }))
  },
})
export default plugin
