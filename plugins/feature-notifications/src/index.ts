import { definePlugin, type Plugin } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { mailService } from '@agent-service/sdk/services/mail'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { sealedFieldsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { createNotificationMetrics } from './common/metrics.js'
import { settingsOf, settingsSchema } from './configuration.js'
import { deliverNotification } from './delivery/deliver-notification.js'
import { eventTypes } from './event-types.js'
import { createKindRegistry } from './kinds/kind-registry.js'
import { createPreferences } from './kinds/preferences.js'
import { createNotificationRoutes } from './routes/notification-routes.js'
import { createPreferenceRoutes } from './routes/preference-routes.js'
import { createUnsubscribeRoutes } from './routes/unsubscribe-routes.js'
import { createNotifications } from './service/create-notifications.js'
import { collections } from './store/notification.js'
import { createNotificationList } from './store/notification-list.js'
import { createPruneJob } from './store/prune.js'
import { createUnsubscribe } from './unsubscribe/unsubscribe-links.js'
import { createNotificationUserData } from './user-data.js'

/** What the service has to say to people: stored, live, and by e-mail. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-notifications',
    apiVersion: 1,
    description: 'Notifications of users: stored, live, and by e-mail.',
    contributes: ['http.route', 'scheduler.job', 'user.data'],
    provides: ['notifications'],
    optional: ['mail'],
    config: settingsSchema,
    routes: ['/api/notifications'],
    tags: { notifications: 'What the service has to say to a person: the list, and which kinds they want where.' },
    events: eventTypes,
  },
  collections: [...collections],
  async setup(context) {
    const { keep_days: keepDays, max_per_user: maxPerUser } = settingsOf(context.config)
    const [database, clock, events] = [context.use(databaseService), context.use(clockService), context.use(eventsService)]
    const [accounts, contributions, mail] = [context.use(accountsService), context.use(contributionsService), context.use(mailService)]
    const kinds = createKindRegistry()
    const preferences = createPreferences({ database, kinds })
    const unsubscribe = createUnsubscribe({ database, sealedFields: context.use(sealedFieldsService) })
    const list = createNotificationList({ database, clock, events })
    const marking = context.use(quotasService).limit({
      ...{ name: 'notification-marking', counts: 'requests to mark notifications as read at a time', maxPerHolder: 4 },
    })
    const routes = [
      ...createNotificationRoutes(list, marking),
      ...createPreferenceRoutes({ kinds, preferences, accounts, mail }),
      ...createUnsubscribeRoutes({ unsubscribe, preferences, kinds, urls: context.use(urlService) }),
    ]
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(schedulerJobs, createPruneJob({ database, clock }))
    context.contribute(userData, createNotificationUserData(database))
    context.provide(notificationsService, createNotifications({ database, events, accounts, kinds }))
    const parts = {
      ...{ database, clock, events, accounts, kinds, preferences, mail, unsubscribe, log: context.log },
      metrics: createNotificationMetrics(context.use(metricsService)),
      limits: { keepDays, maxPerUser },
    }
    await events.subscribe({
      id: 'deliver',
      names: ['notification.requested'],
      maxAgeSeconds: 30 * 86_400,
      maxEvents: 100_000,
      async handle(event, { signal }) {
        await abortable(() => contributions.settled(), signal)
        await deliverNotification(parts, event)
      },
    })
  },
})
export default plugin
