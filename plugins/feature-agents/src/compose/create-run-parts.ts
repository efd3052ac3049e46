import type { Agents } from '@agent-service/sdk/services/agents'
import { createConversations } from '../conversations/conversations.js'
import { createAgents } from '../conversations/create-agents.js'
import { createRepeatedTurns } from '../conversations/repeated-turns.js'
import { createAttachments } from '../posting/attachments.js'
import { createGivenFiles, type GivenFiles } from '../posting/given-files.js'
import { createOfferedWorkspaces } from '../posting/offered-workspace.js'
import { createPosting } from '../posting/posting.js'
import { createReadingTools } from '../posting/reading-tools.js'
import { createRuns, type RunsWithin } from '../run-service/create-runs.js'
import { createOrphanedRuns, type OrphanedRuns } from '../run-service/orphaned-runs.js'
import { createApprovalAnswers } from '../runs/approvals/approval-answers.js'
import type { AgentParts } from './create-agent-parts.js'
import type { RunEngine } from './create-run-engine.js'
import type { UsedServices } from './use-services.js'

/** The services that start runs and answer their questions. */
export interface RunParts {
  readonly orphaned: OrphanedRuns
  readonly service: RunsWithin
  readonly agents: Agents
  readonly files: GivenFiles
}

export function createRunParts(
  services: UsedServices,
  { sharedAgents, agentChoice, chatParts, agentTools }: AgentParts,
  { runs: manager, gates, leases, watchers, log, modelTurn, access }: RunEngine,
): RunParts {
  const { database, events, audit, clock, accounts, inference, policies, foreignSchemas, documents, log: logger } = services
  const files = createGivenFiles({
    attachments: createAttachments({ files: services.files, policies, documents }),
    workspaces: createOfferedWorkspaces({ agentTools, access }),
    accounts,
  })
  const posting = createPosting({
    database,
    events,
    audit,
    clock,
    accounts,
    policies,
    runs: manager,
    modelTurn,
    driverId: leases.driverId,
    placeAgain: files.placeAgain,
    readingTools: createReadingTools({ agentTools }),
  })
  const answering = createApprovalAnswers({ database, events, clock, runs: manager })
  const orphaned = createOrphanedRuns({ database, runs: manager, logger })
  const starting = { inference, policies, foreignSchemas, agentChoice, sharedAgents, posting, files }
  const service = createRuns({ database, clock, accounts, log, watchers, runs: manager, answering, orphaned, gates, ...starting })
  const conversations = createConversations({ database, clock, policies })
  const agents = createAgents({
    repeated: createRepeatedTurns({ database, clock, runs: service }),
    database,
    events,
    clock,
    chatParts,
    accounts,
    policies,
    sharedAgents,
    conversations,
    log,
    manager,
    runs: service,
    watchers,
  })
  return { orphaned, service, agents, files }
}
