import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { agentCredentialsService } from '@agent-service/sdk/services/agent-credentials'
import { agentsService } from '@agent-service/sdk/services/agents'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createCredentialSection } from './agents/credential-section.js'
import { createCredentialTools } from './agents/credential-tools.js'
import { createNamedCredentials } from './agents/find-credential.js'
import { createRequestSubscription, requestKindOfNotifications } from './agents/notify-of-request.js'
import { createCredentialMetrics } from './common/metrics.js'
import { panels } from './console-panels.js'
import { eventTypes } from './event-types.js'
import { createExpiredGrantsJob } from './grants/expired-grants.js'
import { createAgentSubscription } from './grants/follow-agents.js'
import { createGrantService } from './grants/grant-service.js'
import { createSources } from './grants/sources.js'
import { createLocalCredentials } from './local/local-credentials.js'
import { createAccessLog } from './log/access-log.js'
import { createPruneLogJob } from './log/prune-log.js'
import { createMasking, maskingCollections } from './masking/masking.js'
import { createAgentCredentials } from './opening/agent-credentials.js'
import { createAdminVaultRoutes } from './routes/admin-vault-routes.js'
import { createCredentialRoutes } from './routes/credential-routes.js'
import { createGrantRoutes } from './routes/grant-routes.js'
import { createLogRoutes } from './routes/log-routes.js'
import { createVaultRoutes } from './routes/vault-routes.js'
import { collections } from './store/collections.js'
import { createCredentialsUserData } from './user-data.js'
import { vaultSection } from './vault-section.js'
import { createConnections } from './vaults/connection.js'
import { createConnectorCalls } from './vaults/connector-calls.js'
import { vaultKindsOfNotifications } from './vaults/notify-of-vault.js'
import { createSyncJob, syncAtStart } from './vaults/sync-job.js'
import { createVaultSync } from './vaults/sync-vault.js'
import { systemVaultsOf } from './vaults/system-vaults.js'
import { createVaultService } from './vaults/vault-service.js'

/** Credentials and vaults of people, and what their agents may use of them: provides `agent-credentials`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-agent-credentials',
    apiVersion: 1,
    description: 'Credentials and vaults of people, and what their agents may use of them.',
    contributes: ['agent.prompt-section', 'agent.run-hook', 'console.panel', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    provides: ['agent-credentials'],
    requires: ['agents'],
    optional: ['notifications'],
    sections: { vault: vaultSection },
    rules: './rules.js',
    routes: ['/api/admin/vaults', '/api/credentials', '/api/vaults'],
    tags: {
      'agent-credentials': 'Credentials of people, what their agents may use of them, and the log of each use.',
      vaults: 'Connections to external vaults: of people, and those of the configuration.',
    },
    events: eventTypes,
    storage: { uses: ['files'] },
    permissions: [
      { kind: 'secrets', reason: 'Stores credentials of people encrypted, and opens them for the agents to which they are granted.' },
      { kind: 'files', targets: ['users/*/files'], reason: 'Reads the vault files that people connect, such as a KeePass database.' },
    ],
  },
  collections: [...collections, ...maskingCollections],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const parts = openParts(context)
    const { database, clock, events, grants, masking, credentials, calls, sync, system, vaults, accessLog, log, notifications } = parts
    await vaults.prepareSystem()
    context.provide(agentCredentialsService, credentials)
    for (const route of [
      ...createCredentialRoutes(parts),
      ...createGrantRoutes(parts),
      ...createLogRoutes(parts),
      ...createVaultRoutes(parts),
      ...createAdminVaultRoutes({ vaults, sync, calls, audit: context.use(auditService) }),
    ])
      context.contribute(httpRoutes, route)
    const policies = context.use(policyService)
    for (const tool of createCredentialTools({ credentials, grants, named: createNamedCredentials(parts), accessLog, policies }))
      context.contribute(tools, tool)
    context.contribute(agentPromptSections, createCredentialSection(credentials))
    context.contribute(agentRunHooks, masking.hook)
    for (const job of [
      createSyncJob({ database, clock, system, sync, log }),
      createExpiredGrantsJob({ database, clock, accessLog, events }),
      createPruneLogJob({ database, clock }),
    ])
      context.contribute(schedulerJobs, job)
    context.contribute(userData, createCredentialsUserData({ database, masking, calls }))
    const contributions = context.use(contributionsService)
    syncAtStart({ system, sync, settled: () => contributions.settled(vaultConnectors), signal: context.signal, log })
    context.onDispose(await events.subscribe(createAgentSubscription({ grants, masking })))
    if (notifications) context.onDispose(await events.subscribe(createRequestSubscription(notifications)))
  },
})
export default plugin

function openParts(context: PluginContext<{ readonly vault: Readonly<Record<string, string | undefined>> }>) {
  const { log, signal } = context
  const notifications = context.use(notificationsService)
  for (const kind of [...vaultKindsOfNotifications, requestKindOfNotifications])
    if (notifications) context.onDispose(notifications.declare(kind))
  const base = {
    ...{ log, signal, notifications, system: systemVaultsOf(context.config.vault), database: context.use(databaseService) },
    ...{ clock: context.use(clockService), accounts: context.use(accountsService), agents: context.use(agentsService) },
    ...{ events: context.use(eventsService), audit: context.use(auditService), policies: context.use(policyService) },
    ...{ files: context.use(userFilesService), sealedFields: context.use(sealedFieldsService), secrets: context.use(secretsService) },
    metrics: createCredentialMetrics(context.use(metricsService)),
  }
  // Values are read live, so a slow vault must not take the places of others.
  const limit = context.use(quotasService).limit({
    ...{ name: 'vault-calls', counts: 'calls of vaults at a time', maxPerHolder: 8, maxTotal: 64 },
    waiting: { maxPerHolder: 64, maxTotal: 512, maxMs: 30_000 },
  })
  const use = {
    calls: createConnectorCalls({ ...base, contributions: context.use(contributionsService), limit }),
    connections: createConnections(base),
  }
  const masking = createMasking(base)
  const accessLog = createAccessLog(base)
  const local = createLocalCredentials({ ...base, masking })
  const vaults = createVaultService({ ...base, ...use })
  const sync = createVaultSync({ ...base, ...use, accessLog })
  const sources = createSources({ ...base, ...use, local, vaults })
  const grants = createGrantService({ ...base, sources, accessLog })
  const credentials = createAgentCredentials({ ...base, grants, sources, masking, accessLog })
  return { ...base, ...use, masking, accessLog, local, vaults, sync, sources, grants, credentials }
}
