import { definePlugin, type Plugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { telemetryService } from '@agent-service/sdk/services/telemetry'
import { agentCollection } from './agents/agent.js'
import { createAgentRoutes } from './agents/agent-routes.js'
import { createSharedAgents } from './agents/shared-agents.js'
import { createChatRoutes } from './chats/chat-routes.js'
import { createMessageRoutes } from './messages/message-routes.js'
import { createModelPrompt } from './runs/model-prompt.js'
import { createModelTurn } from './runs/model-turn.js'
import { createRunDriver } from './runs/run-driver.js'
import { createRunLog } from './runs/run-log.js'
import { createRunManager, type RunLimits } from './runs/run-manager.js'
import { createRunRoutes } from './runs/run-routes.js'
import { createTakeUp } from './runs/take-up.js'
import { createToolPresence } from './runs/tool-presence.js'
import { createToolRunner } from './runs/tool-runner.js'
import { createToolTurn } from './runs/tool-turn.js'
import { createGetTimeTool } from './tools/get-time.js'
import { traceDriver, traceToolRunner } from './traces/trace-runs.js'
import { collections, createAgentsUserData } from './user-data.js'

/** How many runs there may be. */
const runLimits: RunLimits = { concurrent: 256, concurrentPerUser: 32, openPerUser: 128 }
/** How long a run that is taken up at the start waits for the tools of its agent, in milliseconds. */
const toolPresenceMs = 10_000

const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-agents',
    apiVersion: 1,
    description: 'Agents, chats, messages and runs.',
    contributes: ['http.route', 'tool', 'user.data'],
    requires: ['inference'],
    optional: ['telemetry'],
    routes: ['/api/agents', '/api/chats', '/api/runs'],
  },
  collections,
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
    const log = createRunLog({ database, events, clock })
    const runner = createToolRunner({ contributions, log: context.log })
    let prompt: Promise<string> | undefined
    const sharedPrompt = (): Promise<string> => {
      prompt ??= resources.read('prompts/agent.md').catch((error: unknown) => {
        prompt = undefined
        throw error
      })
      return prompt
    }
    const modelTurn = createModelTurn({
      events,
      inference,
      prompt: createModelPrompt({ database, inference, contributions, sharedPrompt }),
      log,
      logger: context.log,
    })
    const driver = createRunDriver({
      log,
      modelTurn,
      toolTurn: createToolTurn({ database, events, log, runner: telemetry ? traceToolRunner(runner, telemetry) : runner }),
      limits: { maxToolTurns: inference.limits.max_tool_turns },
      logger: context.log,
    })
    const runs = createRunManager({
      database,
      clock,
      takeUp: createTakeUp({ database, accounts, clock, log }),
      driver: telemetry ? traceDriver(driver, telemetry) : driver,
      logger: context.log,
      limits: runLimits,
    })
    context.onDispose(() => runs.park())

    context.contribute(tools, createGetTimeTool(clock))
    context.contribute(userData, createAgentsUserData({ database, runs }))
    for (const route of [
      ...createAgentRoutes({ database, clock, sharedAgents }),
      ...createChatRoutes({ database, events, clock, sharedAgents, runs }),
      ...createMessageRoutes({ database, events, clock, runs, modelTurn }),
      ...createRunRoutes({ database, runs }),
    ]) {
      context.contribute(httpRoutes, route)
    }
    const presence = createToolPresence({ contributions, clock, withinMs: toolPresenceMs })
    const agents = database.collection(agentCollection)
    await runs.resumeAll(async (run, signal) => presence.until((await agents.get(run.agent_id))?.tools ?? [], signal))
  },
})

export default plugin
