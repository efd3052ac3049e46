import type { PluginContext } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { createToolViews } from '../agents/tool-views.js'
import type { AgentSettings } from '../configuration.js'
import { createImporter } from '../import-export/import-chat.js'
import { createChatImports } from '../import-export/jobs/chat-imports.js'
import { createImportChatsJob } from '../import-export/jobs/import-job.js'
import { createFileStore } from '../import-export/jobs/store-files.js'
import { createAgentRoutes } from '../routes/agent-routes.js'
import { createApprovalRoutes } from '../routes/approval-routes.js'
import { createBranchRoutes } from '../routes/branch-routes.js'
import { createChatImportRoutes } from '../routes/chat-import-routes.js'
import { createChatRoutes } from '../routes/chat-routes.js'
import { createChatRunRoutes } from '../routes/chat-run-routes.js'
import { createDeletedChatRoutes } from '../routes/deleted-chat-routes.js'
import { createImportExportRoutes } from '../routes/import-export-routes.js'
import { createMessageRoutes } from '../routes/message-routes.js'
import { createRunRoutes } from '../routes/run-routes.js'
import { createSearchRoutes } from '../routes/search-routes.js'
import { createSpaceRoutes } from '../routes/space-routes.js'
import { createSummaryRoutes } from '../routes/summary-routes.js'
import { createTagRoutes } from '../routes/tag-routes.js'
import { createToolRoutes } from '../routes/tool-routes.js'
import { createVersionRoutes } from '../routes/version-routes.js'
import { createSpaceSummariser } from '../spaces/summarise-space.js'
import type { AgentParts } from './create-agent-parts.js'
import type { RunEngine } from './create-run-engine.js'
import type { RunParts } from './create-run-parts.js'
import type { UsedServices } from './use-services.js'

/** All routes of this plugin, and the job that does what one of them begins: imports. */
export function contributeRoutes(
  context: PluginContext,
  { database, events, audit, clock, inference, policies, files: userFiles, log }: UsedServices,
  parts: AgentParts & RunEngine & Pick<RunParts, 'service' | 'files'>,
  settings: Required<AgentSettings>,
): void {
  const {
    sharedAgents,
    agentChoice,
    agentView: view,
    prompts,
    runs: manager,
    compactor,
    summaryWriter: writer,
    service: runs,
    files,
    chatParts,
    heavyWork,
    agentTools,
    access,
    log: runLog,
  } = parts
  const importer = createImporter({ database, events, clock, inference, log, parts: chatParts, imports: heavyWork.imports })
  const fileStore = createFileStore({ files: userFiles, policies })
  const chatImports = createChatImports({ database, events, audit, clock, log, files: userFiles, agentChoice, importer, fileStore })
  context.contribute(schedulerJobs, createImportChatsJob(chatImports))
  for (const route of [
    ...createAgentRoutes({ database, events, clock, inference, sharedAgents, prompts, view }),
    ...createVersionRoutes({ database, clock, sharedAgents, view }),
    ...createChatRoutes({ database, events, clock, inference, agentChoice, runs: manager, parts: chatParts, settings }),
    ...createDeletedChatRoutes({ database, events, audit, clock, runs: manager, parts: chatParts, settings }),
    ...createTagRoutes({ database }),
    ...createSearchRoutes({ database, searches: heavyWork.searches }),
    ...createBranchRoutes({ database }),
    ...createImportExportRoutes({ database, agentChoice, importer, parts: chatParts, exports: heavyWork.exports }),
    ...createChatImportRoutes({ database, events, clock, files: userFiles, policies, agentChoice, imports: chatImports }),
    ...createSpaceRoutes({ database, events, clock, summariser: createSpaceSummariser({ database, writer }) }),
    ...createChatRunRoutes({ database, inference, agentChoice, files }),
    ...createMessageRoutes({ database, events, inference, manager, runs, agentChoice, files }),
    ...createSummaryRoutes({ database, events, clock, compactor }),
    ...createRunRoutes({ runs, manager, log: runLog }),
    ...createToolRoutes({ database, sharedAgents, views: createToolViews({ agentTools, access }) }),
    ...createApprovalRoutes({ database, runs, agentTools }),
  ]) {
    context.contribute(httpRoutes, route)
  }
}
