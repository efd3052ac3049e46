import { agentPromptSections } from '../contracts/agent-prompt-section/point.js'
import { agentRunHooks } from '../contracts/agent-run-hook/point.js'
import { channels } from '../contracts/channel/point.js'
import { chatParts } from '../contracts/chat-part/point.js'
import { cliCommands } from '../contracts/cli-command/point.js'
import { consolePanels } from '../contracts/console-panel/point.js'
import { databaseDrivers } from '../contracts/database-driver/point.js'
import { doctorChecks } from '../contracts/doctor-check/point.js'
import { httpErrorFormats } from '../contracts/http-error-format/point.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import { httpSites } from '../contracts/http-site/point.js'
import { memoryBackends } from '../contracts/memory-backend/point.js'
import { policyEngines } from '../contracts/policy-engine/point.js'
import { providerAdapters } from '../contracts/provider-adapter/point.js'
import { sandboxDrivers } from '../contracts/sandbox-driver/point.js'
import { schedulerJobs } from '../contracts/scheduler-job/point.js'
import { searchProviders } from '../contracts/search-provider/point.js'
import { tools } from '../contracts/tool/point.js'
import { toolSources } from '../contracts/tool-source/point.js'
import { userData } from '../contracts/user-data/point.js'
import { vaultConnectors } from '../contracts/vault-connector/point.js'
import { websocketRoutes } from '../contracts/websocket-route/point.js'
import { knownPointsOf } from './lift-contribution.js'

/**
 * The contribution points of this version. Each contract has one version so far, so there are no
 * lifts.
 */
export const contractPoints = knownPointsOf(
  [
    ...[agentPromptSections, agentRunHooks, channels, chatParts, cliCommands, consolePanels, databaseDrivers, doctorChecks],
    ...[httpErrorFormats, httpRoutes, httpSites, memoryBackends, policyEngines, providerAdapters, sandboxDrivers, schedulerJobs],
    ...[searchProviders, tools, toolSources, userData, vaultConnectors, websocketRoutes],
  ].map((point) => ({ point })),
)
