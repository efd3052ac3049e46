import { definePlugin, Type } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { clockService } from '@agent-service/sdk/services/clock'
import { createPanels } from './panels.js'
import { createRoutes } from './routes.js'
import { createTable } from './table.js'

/** Dice in the web console. Shows a page of data, a page that the plugin draws, and a settings form. */
export default definePlugin({
  manifest: {
    id: 'panel-dice',
    apiVersion: 1,
    description: 'Rolls dice in the web console.',
    contributes: ['http.route', 'console.panel'],
    config: Type.Object({
      max_dice: Type.Integer({ default: 6, minimum: 1, maximum: 100, title: 'Most dice', description: 'How many dice a throw may have.' }),
    }),
  },
  setup(context) {
    const table = createTable(context.use(clockService))
    for (const route of createRoutes(table, context.config.max_dice)) context.contribute(httpRoutes, route)
    for (const panel of createPanels(context.config.max_dice)) context.contribute(consolePanels, panel)
  },
})
