import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { createMissLimit } from '@agent-service/sdk/addresses'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { agentsService } from '@agent-service/sdk/services/agents'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { eventsService } from '@agent-service/sdk/services/events'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { runsService } from '@agent-service/sdk/services/runs'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { shareLinksService } from '@agent-service/sdk/services/share-links'
import { urlService } from '@agent-service/sdk/services/urls'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { tooManyTriesError } from './common/errors.js'
import { createChannelMetrics } from './common/metrics.js'
import { type ChannelSection, channelSection } from './configuration.js'
import { createConnectionService } from './connections/connection-service.js'
import { createSenderService } from './connections/sender-service.js'
import { panels } from './console-panels.js'
import { type ChannelEngine, createChannelEngine } from './engine/channel-engine.js'
import { eventTypes } from './event-types.js'
import { createSendFileTool } from './files/send-file-tool.js'
import { createPruneJob } from './jobs.js'
import { channelKindsOfNotifications } from './notifications/channel-kinds.js'
import type { ChannelParts } from './parts/channel-parts.js'
import { createChannelsRoute } from './routes/channels-route.js'
import { createConnectionRoutes, routeSets } from './routes/connection-routes.js'
import { createConversationRoutes } from './routes/conversation-routes.js'
import { createDeliveryRoutes } from './routes/delivery-routes.js'
import { createPairingRoutes } from './routes/pairing-routes.js'
import { createRetryRoute } from './routes/retry-route.js'
import { createSenderRoutes } from './routes/sender-routes.js'
import { createOwnPairings } from './senders/own-pairings.js'
import { collections } from './store/collections.js'
import { createChannelUserData } from './user-data.js'
import { createWebhookRoutes } from './webhooks/webhook-routes.js'

/** Connections to messaging channels, and the messages that come and go through them. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-channels',
    apiVersion: 1,
    description: 'Connections to messaging channels: agents where people already are.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    requires: ['agents', 'runs'],
    optional: ['notifications', 'share-links'],
    sections: { channel: channelSection },
    routes: ['/api/admin/channels', '/api/channels'],
    tags: { channels: 'Connections to messaging channels, who may write over them, and what was sent.' },
    events: eventTypes,
    storage: { subsystems: ['channels'], uses: ['files', 'workspaces'] },
    permissions: [
      { kind: 'secrets', reason: 'Stores the credentials of connections encrypted, and opens them for the channel of each.' },
      {
        kind: 'files',
        targets: ['users/*/files', 'users/*/workspaces'],
        reason: 'Stores the files that come with messages, and reads those that agents send to the conversations in which they answer.',
      },
    ],
  },
  collections: [...collections],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const counts: { read: ChannelEngine['counts'] } = { read: () => ({}) }
    const parts = openParts(context, () => counts.read())
    const pollMs = parts.database.shared ? Math.min(2_000, context.use(deploymentService).pollMs) : context.use(deploymentService).pollMs
    const engine = createChannelEngine(parts, pollMs)
    counts.read = engine.counts
    const { refresh, onDelivery, session } = engine
    const connections = createConnectionService(parts, refresh)
    const senders = createSenderService(parts, refresh)
    const openMissLimit = () => createMissLimit({ clock: parts.clock, refuse: (refusal) => tooManyTriesError.create({}, refusal) })
    const misses = openMissLimit()
    const limit = context.use(quotasService).limit({
      ...{ name: 'channel-webhooks', counts: 'requests of one vendor at a time', maxPerHolder: 32, maxTotal: 256 },
    })
    for (const route of [
      createChannelsRoute(parts),
      ...routeSets.flatMap((set) => [
        ...createConnectionRoutes({ parts, connections, onDelivery }, set),
        ...createDeliveryRoutes({ parts, connections, onDelivery }, set),
        ...createSenderRoutes({ parts, connections, onDelivery, senders }, set),
      ]),
      ...createPairingRoutes({ pairings: createOwnPairings(parts, refresh), misses }),
      ...createConversationRoutes({ database: parts.database, connections }),
      createRetryRoute(parts),
      ...createWebhookRoutes({ parts, session, misses: openMissLimit(), limit }),
    ])
      context.contribute(httpRoutes, route)
    context.contribute(tools, createSendFileTool({ parts, onDelivery }))
    context.contribute(schedulerJobs, createPruneJob(parts))
    context.contribute(userData, createChannelUserData(parts, refresh))
    context.onStopping(() => engine.end())
    context.onDispose(await context.use(eventsService).subscribe(engine.subscription))
    engine.begin()
  },
})
export default plugin

function openParts(
  context: PluginContext<{ readonly channel: ChannelSection }>,
  counts: () => Readonly<Record<string, number>>,
): ChannelParts {
  const notifications = context.use(notificationsService)
  for (const kind of channelKindsOfNotifications) if (notifications) context.onDispose(notifications.declare(kind))
  return {
    ...{ database: context.use(databaseService), clock: context.use(clockService), events: context.use(eventsService) },
    ...{ accounts: context.use(accountsService), agents: context.use(agentsService), runs: context.use(runsService) },
    ...{
      files: context.use(userFilesService),
      policies: context.use(policyService),
      shareLinks: context.use(shareLinksService),
      notifications,
    },
    ...{ contributions: context.use(contributionsService), sealedFields: context.use(sealedFieldsService) },
    ...{ secrets: context.use(secretsService), urls: context.use(urlService), audit: context.use(auditService) },
    metrics: createChannelMetrics(context.use(metricsService), counts),
    ...{ retry: context.config.channel.retry, log: context.log },
  }
}
