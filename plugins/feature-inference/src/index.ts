import { definePlugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { type Secrets, sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { telemetryService } from '@agent-service/sdk/services/telemetry'
import { urlService } from '@agent-service/sdk/services/urls'
import { createConnectionBreaker } from './calls/connection-breaker.js'
import { createInference } from './calls/create-inference.js'
import { createGroupRegistry } from './calls/group-registry.js'
import { createRateGate } from './calls/rate-gate.js'
import type { ProtocolChange } from './calls/resolve-target.js'
import { warnOfAdapters } from './calls/warn-of-adapters.js'
import { openCatalogue } from './catalogue/open-catalogue.js'
import { inferenceSection } from './configuration/inference-section.js'
import { modelsSection } from './configuration/models-section.js'
import { providersSection } from './configuration/providers-section.js'
import { earlierCredentials } from './credentials/earlier-credentials.js'
import { openInference } from './open-inference.js'
import { createPruneCallsJob } from './usage/prune-calls.js'
import { createUsageUserData, usageCollections } from './usage/usage-user-data.js'

/** Model groups, connections, retries: provides the service `inference`. */
export default definePlugin({
  manifest: {
    id: 'feature-inference',
    apiVersion: 1,
    description: 'Model groups, connections and retries: the one way to call a model.',
    contributes: ['http.route', 'scheduler.job', 'user.data'],
    provides: ['inference'],
    requires: ['credentials'],
    optional: ['telemetry'],
    sections: { inference: inferenceSection, providers: providersSection, models: modelsSection },
    rules: './rules/index.js',
    routes: [
      '/api/models',
      '/api/usage',
      '/api/admin/usage',
      '/api/admin/budgets',
      '/api/catalogue',
      '/api/admin/catalogue',
      '/api/admin/credentials',
    ],
    permissions: [
      { kind: 'environment', reason: 'Looks for the standard variables of known providers, such as OPENAI_API_KEY.' },
      { kind: 'network', targets: ['models.dev'], reason: 'Refreshes the catalogue of models when an administrator asks for it.' },
    ],
  },
  collections: [...usageCollections, earlierCredentials],
  async setup(context) {
<<<<<<< HEAD
    const { inference, routes, database, clock, settled } = await openInference(context)
    context.provide(inferenceService, inference)
=======
    const { inference: settings, providers, models } = context.config
    const secrets = context.use(secretsService)
    const clock = context.use(clockService)
    const database = context.use(databaseService)
    const telemetry = context.use(telemetryService, { optional: true })
    const contributions = context.use(contributionsService)
    const { catalogue, refresh } = await openCatalogue({
      resources: context.use(resourcesService),
      cache: context.use(cacheFilesService),
      clock,
      log: context.log,
      signal: context.signal,
    })
    const connections = createConnections(providers, catalogue, variablesOf(secrets))
    const groups = createGroupRegistry(models as ModelsSection, {
      connections,
      catalogue,
      anyProviderConfigured: Object.keys(providers).length > 0,
    })
    const credentials = openCredentials({
      ...{ database, secrets, clock, catalogue, connections, groups, contributions, log: context.log, signal: context.signal },
      sealedFields: context.use(sealedFieldsService),
      audit: context.use(auditService),
      urls: context.use(urlService),
    })
    context.onDispose(() => credentials.close())
    await credentials.warn()
    const ledger = createUsageLedger({ database, clock, log: context.log, catalogue: () => catalogue })
    const settled = (): Promise<void> => ledger.settled()
    context.onDispose(settled)
    const losses = createLossLedger({ database, catalogue: () => catalogue, ledger, log: context.log })
    const budgets = createBudgetGuard({ database, clock, settled })
    const tokenWorker = createTokenWorker({ clock })
    context.onDispose(() => tokenWorker.close())
    const limits = {
      max_tool_turns: settings.max_tool_turns,
      default_max_tokens: settings.default_max_tokens,
      history_truncation_pct: settings.history_truncation_pct,
    }
    const timeouts = {
      connectMs: settings.timeouts.connect_secs * 1_000,
      firstTokenMs: settings.timeouts.first_token_secs * 1_000,
      idleMs: settings.timeouts.idle_secs * 1_000,
      totalMs: settings.timeouts.total_secs * 1_000,
    }
    const inference = createInference({
      catalogue,
      connections,
      groups,
      secrets,
      credentials: credentials.keeper,
      contributions,
      clock,
      log: context.log,
      random: Math.random,
      telemetry: telemetry?.exporting === true ? telemetry : undefined,
      breaker: createConnectionBreaker(() => clock.monotonic()),
      gate: createRateGate(() => clock.monotonic()),
      admit: (userId) => budgets.check(userId),
      onCall(record) {
        const cost = ledger.add(record)
        if (record.attribution) budgets.spent(record.attribution.userId, record, cost)
      },
      async onLostCalls(records) {
        for (const { record, cost } of await losses.add(records)) budgets.spent(record.attribution.userId, record, cost)
      },
      onProtocolReplaced: warnOnce(context.log),
      countTokens: createTokenCounter({ groups: () => groups.list(), limits, worker: tokenWorker, log: context.log }),
      limits,
      timeouts,
    })
    context.provide(inferenceService, inference)
    void warnOfAdapters({
      ...{ catalogue, connections, contributions, secrets, timeouts, groups },
      ...{ log: context.log, signal: context.signal, onProtocolReplaced: () => undefined },
    })
    const activeProtocols = (): ReadonlyMap<string, readonly string[]> =>
      new Map(contributions.list(providerAdapters).map(({ key, value }) => [key, value.protocols.map(({ id }) => id)]))
    const routes = [
      createModelsRoute(inference),
      ...credentials.routes,
      ...createCatalogueRoutes({ catalogue, refresh, activeProtocols }),
      ...createUsageRoutes({ database, clock, budgets, settled }),
      ...createBudgetRoutes({ database, clock, guard: budgets, accounts: context.use(accountsService) }),
    ]
>>>>>>> host
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(userData, createUsageUserData(database, settled))
    context.contribute(schedulerJobs, createPruneCallsJob(database, clock))
  },
})
