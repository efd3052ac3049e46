import type { PluginContext } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import { createProcessMasks } from '../credentials/process-masks.js'
import { createAdminRoutes } from '../routes/admin-routes.js'
import { createAgentRoute } from '../routes/agent-route.js'
import { createOutputRoutes } from '../routes/output-routes.js'
import { createProcessRoutes } from '../routes/process-routes.js'
import { createStatusRoute } from '../routes/status-route.js'
import { fixedLimits } from '../service/create-sandbox.js'
import { createOpenTerminalRoute, createTerminalSocket } from '../terminals/terminal-routes.js'
import { createTerminals } from '../terminals/terminals.js'
import type { SandboxParts } from './create-sandbox-parts.js'
import type { UsedServices } from './use-services.js'

/** `/api/sandbox` and `/api/admin/sandbox`. */
export function contributeRoutes(context: Pick<PluginContext, 'contribute'>, services: UsedServices, parts: SandboxParts): void {
  const { settings, clock, accounts } = services
  const { sandbox, registry, slot, notes } = parts
  const masks = createProcessMasks(services.credentials)
  const terminals = createTerminals({ ...services, sandbox, registry, notes })
  for (const route of [
    createStatusRoute({ sandbox, registry, settings }),
    createAgentRoute({ ...services, sandbox, maxTasks: fixedLimits.maxProcesses }),
    ...createProcessRoutes({ sandbox }),
    ...createOutputRoutes({ sandbox, masks }),
    createOpenTerminalRoute({ terminals }),
    ...createAdminRoutes({ registry, slot, accounts }),
  ])
    context.contribute(httpRoutes, route)
  context.contribute(websocketRoutes, createTerminalSocket({ terminals, clock, masks }))
}
