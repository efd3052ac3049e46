import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { agentsService } from '@agent-service/sdk/services/agents'
import { auditService } from '@agent-service/sdk/services/audit'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { memorySettingsService } from '@agent-service/sdk/services/memory-settings'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { redactionService } from '@agent-service/sdk/services/secrets'
import { slotsService } from '@agent-service/sdk/services/slots'
import { createMemorySection } from './agents/memory-prompt.js'
import { createMemoryTools } from './agents/memory-tools.js'
import { createPromptTexts } from './agents/prompt-texts.js'
import { createMemories } from './backend/memories.js'
import { createMemoryCalls, type MemoryCalls } from './backend/memory-calls.js'
import { createSafeTexts } from './backend/safe-texts.js'
import { chatChoiceCollection, createChatChoices } from './chats/chat-choice.js'
import { createMemoryPart } from './chats/chat-part.js'
import { createChooseForChat } from './chats/choose-for-chat.js'
import { createChatSubscription } from './chats/follow-chats.js'
import { createChanges } from './common/changes.js'
import { type MemorySection, memorySection } from './common/memory-section.js'
import { createMemoryMetrics } from './common/metrics.js'
import { createRequestShares } from './common/request-shares.js'
import { panels } from './console-panels.js'
import { eventTypes } from './event-types.js'
import { lateErasureCollection, migratedUserCollection, migrationCollection } from './migration/migration-store.js'
import { openMigration } from './migration/open-migration.js'
import { createChatRoutes } from './routes/chat-routes.js'
import { createMemoryRoutes } from './routes/memory-routes.js'
import { createMigrationRoutes } from './routes/migration-routes.js'
import { createStatusRoutes } from './routes/status-routes.js'
import { createTransferRoutes } from './routes/transfer-routes.js'
import { createSweepJob } from './sweeps/sweep-job.js'
import { createSweepLog, sweepCollection } from './sweeps/sweep-log.js'
import { createMemoryUserData } from './user-data.js'

/** Texts for prompts are kept so long; with several processes a change of another one is seen after this. */
const textMs = 60_000
const sharedTextMs = 5_000

/** What agents remember of people, with the back end of the section `memory`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-memory',
    apiVersion: 1,
    description: 'What agents remember of people and of themselves.',
    contributes: ['agent.prompt-section', 'chat.part', 'console.panel', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    provides: ['memory-settings'],
    requires: ['agents', 'chats'],
    sections: { memory: memorySection },
    routes: ['/api/admin/memory', '/api/memory'],
    tags: { memory: 'What agents remember of a person beyond a chat: list, correct, pin, forget, export, and which chats are left out.' },
    events: eventTypes,
  },
  collections: [chatChoiceCollection, sweepCollection, migrationCollection, migratedUserCollection, lateErasureCollection],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    await open(context, context.config.memory)
  },
})
export default plugin

async function open(context: PluginContext, settings: MemorySection): Promise<void> {
  const { log } = context
  const [database, events, clock] = [context.use(databaseService), context.use(eventsService), context.use(clockService)]
  const [agents, chats, contributions] = [context.use(agentsService), context.use(chatsService), context.use(contributionsService)]
  context.provide(memorySettingsService, settings)

  const metrics = createMemoryMetrics(context.use(metricsService), () => calls.state().available)
  const callsOf = (id: string): MemoryCalls => createMemoryCalls({ id, contributions, clock, metrics, log })
  const calls = callsOf(settings.backend)
  const texts = createPromptTexts({ calls, clock, metrics, ttlMs: database.shared ? sharedTextMs : textMs })
  const choices = createChatChoices(database)
  const migration = await openMigration({
    ...{ database, clock, log, choices, inUse: settings.backend, callsOf, onMoved: () => texts.forgetAll() },
    ...{ accounts: context.use(accountsService), audit: context.use(auditService), slots: context.use(slotsService) },
  })
  const { gate, isMoving } = migration
  const changes = createChanges({ database, events, onChange: ({ userId }) => texts.forget(userId) })
  const memories = createMemories({ calls, gate, changes, metrics, safe: createSafeTexts(context.use(redactionService)) })
  const choose = createChooseForChat({ database, choices, changes, metrics, clock })
  const shares = createRequestShares({ quotas: context.use(quotasService), clock })
  const sweeps = createSweepLog(database)

  for (const route of [
    ...createTransferRoutes({ memories, agents, shares }),
    ...createStatusRoutes({ memories, calls, sweeps, isMoving, shares }),
    ...createChatRoutes({ chats, choices, choose }),
    ...createMemoryRoutes({ memories, agents, shares }),
    ...createMigrationRoutes(migration.migrations),
  ])
    context.contribute(httpRoutes, route)
  context.contribute(agentPromptSections, createMemorySection({ calls, texts, choices }))
  const topK = settings.pkm_search_top_k
  for (const tool of createMemoryTools({ memories, calls, chats, choices, policies: context.use(policyService), shares, clock, topK }))
    context.contribute(tools, tool)
  context.contribute(chatParts, createMemoryPart({ choices, choose }))
  context.contribute(
    schedulerJobs,
    createSweepJob({ settings, calls, sweeps, clock, metrics, log, isHeld: gate.isClosed, onChanged: (userId) => texts.forget(userId) }),
  )
  context.contribute(schedulerJobs, migration.job)
  // While memories are copied there are two back ends; otherwise only the one in use runs.
  const backends = (): readonly MemoryCalls[] => {
    const others = contributions.list(memoryBackends).filter(({ key }) => key !== calls.id)
    return [calls, ...others.map(({ key }) => callsOf(key))]
  }
  const hasOwnData = (backend: string): boolean => {
    const owner = contributions.list(memoryBackends).find(({ key }) => key === backend)?.pluginId
    return contributions.list(userData).some(({ pluginId }) => pluginId === owner)
  }
  const { beginErasure: onEraseBegin, eraseUser: onErase } = migration
  const onErased = (userId: string): void => texts.forget(userId)
  context.contribute(userData, createMemoryUserData({ database, choices, backends, hasOwnData, onEraseBegin, onErase, onErased, log }))
  context.onDispose(await events.subscribe(createChatSubscription({ memories, chats, agents, choices, log })))
}
