import { definePlugin, type Plugin } from '@agent-service/sdk'
import { createLimiter } from '@agent-service/sdk/async'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { maskSecrets } from '@agent-service/sdk/memory-guards'
import { agentsService } from '@agent-service/sdk/services/agents'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { memorySettingsService } from '@agent-service/sdk/services/memory-settings'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { policyService } from '@agent-service/sdk/services/policy'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { redactionService } from '@agent-service/sdk/services/secrets'
import { createPkmBackend } from './backend.js'
import { createPkmMetrics } from './metrics.js'
import { createStageModel } from './model/ask-model.js'
import { modelGroupOf } from './model/model-group.js'
import { readPrompts } from './model/prompts.js'
import { createOntologyCheck } from './ontology/doctor.js'
import { loadOntologies } from './ontology/load-ontologies.js'
import { createConsolidation } from './passes/consolidation.js'
import { createPassStore } from './passes/pass-store.js'
import { createSearch } from './read/search-index.js'
import { collections } from './store/collections.js'
import { promptListsFor } from './store/prompt-list.js'
import { createUserMemories } from './store/user-memories.js'
import { createPlaybookTool } from './tools/playbook-read.js'
import { createPkmUserData, noUserData } from './user-data.js'

/** The most stage calls that wait for their turn in the process. */
const maxWaiting = 10_000

/** Memory that learns from chats. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'memory-pkm',
    apiVersion: 1,
    description: 'Memory that learns from chats: short memories that fade, pages of dated statements, and playbooks.',
    contributes: ['doctor.check', 'memory.backend', 'tool', 'user.data'],
    requires: ['agents', 'chats', 'inference', 'memory-settings'],
    permissions: [{ kind: 'files', targets: ['storage.ontology_dir'], reason: 'Reads the ontologies of the deployment.' }],
  },
  collections: [...collections],
  async setup(context) {
    const [clock, resources] = [context.use(clockService), context.use(resourcesService)]
    const { ontologyFolder: folder } = context.use(deploymentService)
    context.contribute(doctorChecks, createOntologyCheck({ resources, folder }))
    // `agent-service doctor` examines the ontologies without a database.
    const database = context.use(databaseService, { optional: true })
    if (!database) return void context.contribute(userData, noUserData)
    const [chats, inference, settings] = [context.use(chatsService), context.use(inferenceService), context.use(memorySettingsService)]
    const [redaction, agents] = [context.use(redactionService), context.use(agentsService)]
    const { log, signal } = context
    const loaded = await loadOntologies({ resources, folder })
    for (const { file, line, problem } of loaded.problems)
      log.warn('An ontology file is not used.', { file: line === undefined ? file : `${file}:${line}`, problem })
    const prompts = await readPrompts(resources)
    const metrics = createPkmMetrics(context.use(metricsService), loaded)
    const memories = createUserMemories({ database, now: () => clock.now(), prompts: promptListsFor(settings) })
    const search = createSearch({ database, memories, inference, clock, log, signal })
    const parts = { database, memories, search, clock, settings }
    const consolidation = createConsolidation({
      ...{ ...parts, chats, agents, log, prompts, ontology: loaded.ontology },
      store: createPassStore({ database }),
      model: createStageModel({ inference }),
      limiter: createLimiter({ maxConcurrent: settings.pkm_consolidation_concurrency, maxWaiting }),
      group: () => modelGroupOf(inference, settings),
      redact: (text) => maskSecrets(redaction.redact(text)),
      observe: (stage, outcome) => metrics.observe(stage, outcome),
    })
    context.contribute(memoryBackends, createPkmBackend({ ...parts, consolidation, redaction }))
    context.contribute(tools, createPlaybookTool({ memories, chats, clock, policies: context.use(policyService), settings }))
    context.contribute(userData, createPkmUserData({ database, memories, search }))
  },
})
export default plugin
