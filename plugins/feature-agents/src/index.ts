import { definePlugin, type Plugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { agentsService } from '@agent-service/sdk/services/agents'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { memoryService } from '@agent-service/sdk/services/memory'
import { policyService } from '@agent-service/sdk/services/policy'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { telemetryService } from '@agent-service/sdk/services/telemetry'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { v7 as uuidv7 } from 'uuid'
import { agentCollection } from './agents/agent.js'
import { createAgentRoutes } from './agents/agent-routes.js'
import { createAgentView } from './agents/agent-view.js'
import { createSharedAgents } from './agents/shared-agents.js'
import { createVersionRoutes } from './agents/version-routes.js'
import { createAnswering } from './approvals/answering.js'
import { createApprovalRoutes } from './approvals/approval-routes.js'
import { createAskPerson } from './approvals/ask-person.js'
import { createToolAccess } from './approvals/create-tool-access.js'
import { createIsAnswered } from './approvals/is-answered.js'
import { createBranchRoutes } from './branches/branch-routes.js'
import { createAgentChoice } from './chats/agent-choice.js'
import { createChatRoutes } from './chats/chat-routes.js'
import { resultRoom } from './context/budget.js'
import { createCompactor } from './context/compactor.js'
import { createKeptResults } from './context/kept-results.js'
import { createSummaries } from './context/summaries.js'
import { createSummaryRoutes } from './context/summary-routes.js'
import { createSummaryWriter } from './context/write-summary.js'
import { createConversations } from './conversations/conversations.js'
import { createAgents } from './conversations/create-agents.js'
import { eventTypes } from './event-types.js'
import { createExchangeRoutes } from './exchange/exchange-routes.js'
import { createImporter } from './exchange/import-chat.js'
import { createAttachments } from './messages/attachments.js'
import { createMessageRoutes } from './messages/message-routes.js'
import { createPosting } from './messages/posting.js'
import { onceForEach } from './once-for-each.js'
import { createPrompts } from './prompts/create-prompts.js'
import { createCompactionTurn } from './runs/compaction-turn.js'
import { createInputTurn } from './runs/input-turn.js'
import { createModelPrompt } from './runs/model-prompt.js'
import { createModelTurn } from './runs/model-turn.js'
import { createRunDriver } from './runs/run-driver.js'
import { createRunLeases, runDriverCollection } from './runs/run-leases.js'
import { createRunLog } from './runs/run-log.js'
import { createRunManager } from './runs/run-manager.js'
import type { RunLimits } from './runs/run-places.js'
import { createRunRoutes } from './runs/run-routes.js'
import { createRunWatchers } from './runs/run-watchers.js'
import { createTakeUp } from './runs/take-up.js'
import { createToolPresence } from './runs/tool-presence.js'
import { createToolRunner } from './runs/tool-runner.js'
import { createToolTurn } from './runs/tool-turn.js'
import { withToolsPresent } from './runs/with-tools-present.js'
import { createSearchRoutes } from './search/search-routes.js'
import { createSpaceRoutes } from './spaces/space-routes.js'
import { createSpaceSections } from './spaces/space-sections.js'
import { createSpaceSummariser } from './spaces/summarise-space.js'
import { createAskUserTool } from './tools/ask-user.js'
import { createDelegateTool } from './tools/delegate.js'
import { createDelegatedRuns } from './tools/delegated-runs.js'
import { createGetTimeTool } from './tools/get-time.js'
import { createReadResultTool } from './tools/read-result.js'
import { createRecallTool } from './tools/recall.js'
import { createRememberTool } from './tools/remember.js'
import { createUpdateProfileTool } from './tools/update-profile.js'
import { traceDriver, traceToolRunner } from './traces/trace-runs.js'
import { collections, createAgentsUserData } from './user-data.js'

/** How many runs there may be. */
const runLimits: RunLimits = { concurrent: 1_000, concurrentPerUser: 32, openPerUser: 128 }
/** How long runs wait for the tools of their agents after the start, in milliseconds. */
const toolPresenceMs = 10_000

const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-agents',
    apiVersion: 1,
    description: 'Agents, chats, messages and runs.',
    contributes: ['http.route', 'tool', 'user.data'],
    provides: ['agents'],
    requires: ['inference'],
    optional: ['telemetry', 'memory'],
    permissions: [
      {
        kind: 'files',
        targets: ['users/*/files', 'users/*/workspaces'],
        reason: 'Reads the files that people attach to their messages.',
      },
    ],
    routes: ['/api/agents', '/api/approvals', '/api/chats', '/api/runs', '/api/spaces'],
    events: eventTypes,
    storage: { subsystems: ['files', 'workspaces'] },
  },
  collections: [...collections, runDriverCollection],
  async setup(context) {
    const database = context.use(databaseService)
    const events = context.use(eventsService)
    const clock = context.use(clockService)
    const resources = context.use(resourcesService)
    const contributions = context.use(contributionsService)
    const inference = context.use(inferenceService)
    const accounts = context.use(accountsService)
    const offered = context.use(telemetryService, { optional: true })
    const telemetry = offered?.exporting === true ? offered : undefined

    const sharedAgents = createSharedAgents({ database, resources, clock, log: context.log })
    const agentChoice = createAgentChoice({ database, sharedAgents })
    const watchers = createRunWatchers()
    const log = createRunLog({ database, events, clock, watchers })
    const results = createKeptResults({ database })
    const runner = createToolRunner({ contributions, log: context.log, results })
    const prompts = createPrompts({ resources, log: context.log })
    const agentView = createAgentView({ contributions, inference, prompts, sharedAgents })
    const policies = context.use(policyService)
    const access = createToolAccess({ policies, contributions, database, clock, log: context.log })
    const person = createAskPerson({ database, clock, log })
    const leases = createRunLeases({ database, clock, logger: context.log, driverId: uuidv7() })
    const summaries = createSummaries({ database })
    const writer = createSummaryWriter({ inference, resources })
    const compactor = createCompactor({ database, inference, summaries, writer })
    const presence = createToolPresence({ contributions, clock, withinMs: toolPresenceMs })
    const prompt = createModelPrompt({
      database,
      inference,
      contributions,
      access,
      summaries,
      prompts,
      presence,
      sections: createSpaceSections({ database }),
    })
    const modelTurn = createModelTurn({
      database,
      events: watchers.through(events),
      accounts,
      inference,
      prompt,
      log,
      logger: context.log,
      watchers,
    })
    const driver = createRunDriver({
      log,
      modelTurn,
      toolTurn: createToolTurn({
        database,
        events,
        accounts,
        log,
        runner: telemetry ? traceToolRunner(runner, telemetry) : runner,
        access,
        person,
        resultRoom: (modelGroup) => resultRoom(inference, modelGroup),
      }),
      compactionTurn: createCompactionTurn({ database, compactor, prompt, log, logger: context.log }),
      inputTurn: createInputTurn({ database, accounts, log }),
      limits: { maxToolTurns: inference.limits.max_tool_turns },
      logger: context.log,
    })
    const runs = createRunManager({
      database,
      clock,
      takeUp: createTakeUp({ database, accounts, clock, log, leases }),
      isAnswered: createIsAnswered({ database, clock }),
      policies,
      driver: withToolsPresent(telemetry ? traceDriver(driver, telemetry) : driver, presence),
      logger: context.log,
      limits: runLimits,
    })
    await leases.begin()
    context.onDispose(() => leases.end())
    // Before calls in flight are waited for: a delegated task is one, and ends only with its run.
    context.onStopping(() => runs.park())
    const posting = createPosting({ database, events, clock, accounts, runs, modelTurn, driverId: leases.driverId })

    const conversations = createConversations({ database, clock })
    context.provide(agentsService, createAgents({ database, sharedAgents, conversations, posting, runs, watchers, logger: context.log }))

    const delegatedRuns = createDelegatedRuns({ database, clock, posting, runs, watchers, logger: context.log })
    context.contribute(tools, createDelegateTool({ database, policies, delegatedRuns }))
    context.contribute(tools, createGetTimeTool(clock))
    context.contribute(tools, createReadResultTool(results))
    context.contribute(tools, createAskUserTool())
    context.contribute(tools, createUpdateProfileTool(accounts))
    const memory = context.use(memoryService, { optional: true })
    if (memory) {
      context.contribute(tools, createRememberTool(memory))
      context.contribute(tools, createRecallTool(memory))
    }
    context.contribute(userData, createAgentsUserData({ database, runs }))
    for (const route of [
      ...createAgentRoutes({ database, clock, inference, sharedAgents, prompts, view: agentView }),
      ...createVersionRoutes({ database, clock, sharedAgents, view: agentView }),
      ...createChatRoutes({ database, events, clock, agentChoice, runs }),
      ...createSearchRoutes({ database }),
      ...createBranchRoutes({ database }),
      ...createExchangeRoutes({ database, agentChoice, importer: createImporter({ database, events, clock, log: context.log }) }),
      ...createSpaceRoutes({ database, events, clock, summariser: createSpaceSummariser({ database, writer }) }),
      ...createMessageRoutes({ database, events, runs, posting, attachments: createAttachments({ files: context.use(userFilesService) }) }),
      ...createSummaryRoutes({ database, events, clock, compactor }),
      ...createRunRoutes({ database, runs }),
      ...createApprovalRoutes({ database, answering: createAnswering({ database, events, clock, runs }) }),
    ]) {
      context.contribute(httpRoutes, route)
    }
    const agents = database.collection(agentCollection)
    // One agent may have a thousand of them, and all wait for the same tools.
    const toolsPresent = onceForEach(async (agentId: string) => presence.until((await agents.get(agentId))?.tools ?? []))
    await runs.resumeAll(async (run) => {
      if (!(await delegatedRuns.endUnwanted(run))) await toolsPresent(run.agent_id)
    })
    await delegatedRuns.endUnwantedWaiting()
  },
})

export default plugin
