import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { sandboxService } from '@agent-service/sdk/services/sandbox'
import { contributeRoutes } from './compose/contribute-routes.js'
import { contributeTools } from './compose/contribute-tools.js'
import { createSandboxParts } from './compose/create-sandbox-parts.js'
import { useServices } from './compose/use-services.js'
import { sandboxSection } from './configuration/sandbox-section.js'
import { panels } from './console-panels.js'
import { principalCollection } from './principals/principal-records.js'
import { processEventTypes } from './reports/process-events.js'

/** Confined processes for the code of agents. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-sandbox',
    apiVersion: 1,
    description: 'Confined processes for the code of agents.',
    contributes: ['chat.part', 'console.panel', 'http.route', 'tool', 'user.data', 'websocket.route'],
    provides: ['sandbox'],
    optional: ['agent-credentials', 'agents', 'skills'],
    events: processEventTypes,
    sections: { sandbox: sandboxSection },
    rules: './configuration/rules.js',
    routes: ['/api/sandbox', '/api/admin/sandbox'],
    tags: { sandbox: 'What confines the code of agents, the processes that run, their output, and terminals.' },
    storage: { uses: ['workspaces'] },
    permissions: [
      { kind: 'files', targets: ['users/*/workspaces'], reason: 'Gives the code of agents their workspaces.' },
      { kind: 'process', targets: ['*'], reason: 'Runs the commands and programs of agents, confined by the sandbox driver.' },
    ],
  },
  collections: [principalCollection],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const services = useServices(context)
    const parts = await createSandboxParts(context, services)
    context.provide(sandboxService, parts.sandbox)
    contributeTools(context, services, parts)
    contributeRoutes(context, services, parts)
    context.contribute(userData, parts.userData)
    await services.events.subscribe(parts.deletions)
  },
})
export default plugin
