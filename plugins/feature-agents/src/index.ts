import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { agentsService } from '@agent-service/sdk/services/agents'
import { chatsService } from '@agent-service/sdk/services/chats'
import { runsService } from '@agent-service/sdk/services/runs'
import { createFinishDeletionsJob } from './chats/finish-deletions.js'
import { createPurgeChatsJob } from './chats/purge-chats.js'
import { contributeRoutes } from './compose/contribute-routes.js'
import { contributeTools } from './compose/contribute-tools.js'
import { createAgentParts } from './compose/create-agent-parts.js'
import { createRunEngine } from './compose/create-run-engine.js'
import { createRunParts } from './compose/create-run-parts.js'
import { resumeWithTools } from './compose/resume-with-tools.js'
import { useServices } from './compose/use-services.js'
import { collections, createAgentsUserData } from './compose/user-data.js'
import { settingsOf, settingsSchema } from './configuration.js'
import { panels } from './console-panels.js'
import { eventTypes } from './event-types.js'
import { createChats } from './import-export/transcript.js'
import { runDriverCollection } from './store/runs/run-driver-record.js'
import { createMakeTitlesJob } from './titles/make-titles-job.js'

const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-agents',
    apiVersion: 1,
    description: 'Agents, chats, messages and runs.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    provides: ['agents', 'chats', 'runs'],
    requires: ['inference'],
    optional: ['documents', 'telemetry'],
    permissions: [
      {
        kind: 'files',
        targets: ['users/*/files', 'users/*/workspaces'],
        reason:
          'Reads the files that people attach to their messages and the exports that they import, and stores the pictures of imported chats.',
      },
    ],
    config: settingsSchema,
    routes: ['/api/agents', '/api/approvals', '/api/chats', '/api/runs', '/api/spaces', '/api/tools'],
    tags: {
      agents: 'Agents, the versions of their definitions, and the tools that they can have.',
      approvals: 'What runs ask a person: approvals of tool calls, questions, and permissions given once and for all.',
      chats: 'Chats with their branches and messages, their search, export and import.',
      runs: 'The work of an agent on an answer. It goes on when a client disconnects.',
      spaces: 'Groups of chats that share a context.',
    },
    events: eventTypes,
    storage: { subsystems: ['files', 'workspaces'] },
  },
  collections: [...collections, runDriverCollection],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const services = useServices(context)
    const settings = settingsOf(context.config)
    const agents = createAgentParts(services)
    const engine = createRunEngine(services, agents)
    const { runs, leases, hooks, titles } = engine
    await leases.begin()
    context.onDispose(() => leases.end())
    context.onDispose(() => hooks.close())
    context.onDispose(() => agents.agentTools.close())
    // Parks runs before the host waits for calls in flight: a delegated task is one, and ends only
    // with its run.
    context.onStopping(() => runs.park())
    context.onStopping(() => titles.stop())

    const parts = createRunParts(services, agents, engine)
    context.provide(runsService, parts.service)
    context.provide(agentsService, parts.agents)
    context.provide(chatsService, createChats(services))
    contributeTools(context, services, { ...engine, ...parts })
    const { database, events, clock, log } = services
    const erasing = { database, events, runs, clock, parts: agents.chatParts, log }
    context.contribute(schedulerJobs, createFinishDeletionsJob(erasing))
    context.contribute(schedulerJobs, createPurgeChatsJob({ ...erasing, keepDays: settings.deleted_chats_days }))
    context.contribute(schedulerJobs, createMakeTitlesJob(titles))
    context.contribute(userData, createAgentsUserData({ database, runs, sharedAgents: agents.sharedAgents, clock }))
    contributeRoutes(context, services, { ...agents, ...engine, ...parts }, settings)
    await resumeWithTools(services, { ...engine, ...parts })
    await titles.resume()
  },
})

export default plugin
