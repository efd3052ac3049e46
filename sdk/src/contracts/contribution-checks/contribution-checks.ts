import type { Problem } from '../../core/errors.js'
import { checkPromptSection } from '../agent-prompt-section/check-prompt-section.js'
import { agentPromptSections } from '../agent-prompt-section/point.js'
import { checkRunHook } from '../agent-run-hook/check-run-hook.js'
import { agentRunHooks } from '../agent-run-hook/point.js'
import { checkChannel } from '../channel/check-channel.js'
import { channels } from '../channel/point.js'
import { checkChatPart } from '../chat-part/check-chat-part.js'
import { chatParts } from '../chat-part/point.js'
import { checkCliCommand } from '../cli-command/check-cli-command.js'
import { cliCommands } from '../cli-command/point.js'
import { checkConsolePanel } from '../console-panel/check-console-panel.js'
import { consolePanels } from '../console-panel/point.js'
import { checkDatabaseDriver } from '../database-driver/check-database-driver.js'
import { databaseDrivers } from '../database-driver/point.js'
import { checkDoctorCheck } from '../doctor-check/check-doctor-check.js'
import { doctorChecks } from '../doctor-check/point.js'
import { checkErrorFormat } from '../http-error-format/check-error-format.js'
import { httpErrorFormats } from '../http-error-format/point.js'
import { checkHttpRoute } from '../http-route/check-http-route.js'
import { httpRoutes } from '../http-route/point.js'
import { checkHttpSite } from '../http-site/check-http-site.js'
import { httpSites } from '../http-site/point.js'
import { checkMemoryBackend } from '../memory-backend/check-memory-backend.js'
import { memoryBackends } from '../memory-backend/point.js'
import { checkPolicyEngine } from '../policy-engine/check-policy-engine.js'
import { policyEngines } from '../policy-engine/point.js'
import { checkProviderAdapter } from '../provider-adapter/check-provider-adapter.js'
import { providerAdapters } from '../provider-adapter/point.js'
import { checkSandboxDriver } from '../sandbox-driver/check-sandbox-driver.js'
import { sandboxDrivers } from '../sandbox-driver/point.js'
import { checkSchedulerJob } from '../scheduler-job/check-scheduler-job.js'
import { schedulerJobs } from '../scheduler-job/point.js'
import { checkSearchProvider } from '../search-provider/check-search-provider.js'
import { searchProviders } from '../search-provider/point.js'
import { checkTool } from '../tool/check-tool.js'
import { tools } from '../tool/point.js'
import { checkToolSource } from '../tool-source/check-tool-source.js'
import { toolSources } from '../tool-source/point.js'
import { checkUserData } from '../user-data/check-user-data.js'
import { userData } from '../user-data/point.js'
import { checkVaultConnector } from '../vault-connector/check-vault-connector.js'
import { vaultConnectors } from '../vault-connector/point.js'
import { checkWebSocketRoute } from '../websocket-route/check-websocket-route.js'
import { websocketRoutes } from '../websocket-route/point.js'

/**
 * Everything that is wrong with a contribution, each with a JSON pointer. Pure, quick, never
 * throws, calls nothing of the contribution.
 */
export type ContributionCheck = (contribution: unknown) => readonly Problem[]

/**
 * The check of each contribution point, by its id. The host refuses what does not hold when a
 * plugin contributes it; the suites and `agent-service-plugin validate` use the same checks.
 */
export const contributionChecks: ReadonlyMap<string, ContributionCheck> = new Map([
  [tools.id, checkTool],
  [searchProviders.id, checkSearchProvider],
  [vaultConnectors.id, checkVaultConnector],
  [channels.id, checkChannel],
  [providerAdapters.id, checkProviderAdapter],
  [httpRoutes.id, checkHttpRoute],
  [schedulerJobs.id, checkSchedulerJob],
  [userData.id, checkUserData],
  [cliCommands.id, checkCliCommand],
  [consolePanels.id, checkConsolePanel],
  [databaseDrivers.id, checkDatabaseDriver],
  [doctorChecks.id, checkDoctorCheck],
  [agentPromptSections.id, checkPromptSection],
  [agentRunHooks.id, checkRunHook],
  [chatParts.id, checkChatPart],
  [httpErrorFormats.id, checkErrorFormat],
  [httpSites.id, checkHttpSite],
  [memoryBackends.id, checkMemoryBackend],
  [policyEngines.id, checkPolicyEngine],
  [sandboxDrivers.id, checkSandboxDriver],
  [toolSources.id, checkToolSource],
  [websocketRoutes.id, checkWebSocketRoute],
])
