import { definePlugin, type Plugin } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { mailService } from '@agent-service/sdk/services/mail'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { runsService } from '@agent-service/sdk/services/runs'
import { sealedFieldsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { answerKinds } from './answers/answer-kinds.js'
import { forgetAnswers } from './answers/forget-answers.js'
import { answerEvents, tellOfAnswer } from './answers/tell-of-answers.js'
import { createNotificationMetrics } from './common/metrics.js'
import { settingsOf, settingsSchema } from './configuration.js'
import { panels } from './console-panels.js'
import { deliverNotification } from './delivery/deliver-notification.js'
import { eventTypes } from './event-types.js'
import { createKindRegistry } from './kinds/kind-registry.js'
import { createPreferences } from './kinds/preferences.js'
import { accountRequestedKind, tellWaitingPeople } from './kinds/waiting-people.js'
import { hasDevices } from './push/devices.js'
import { openPush } from './push/open-push.js'
import { createPresence } from './push/presence.js'
import { createNotificationRoutes } from './routes/notification-routes.js'
import { createPreferenceRoutes } from './routes/preference-routes.js'
import { createPushRoutes } from './routes/push-routes.js'
import { createUnsubscribeRoutes } from './routes/unsubscribe-routes.js'
import { createNotifications } from './service/create-notifications.js'
import { collections } from './store/notification.js'
import { createNotificationList } from './store/notification-list.js'
import { createPruneJob } from './store/prune.js'
import { createUnsubscribe } from './unsubscribe/unsubscribe-links.js'
import { createNotificationUserData } from './user-data.js'

/** What the service has to say to people: stored, live, by e-mail, and on their devices. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-notifications',
    apiVersion: 1,
    description: 'Notifications of users: stored, live, by e-mail, and on their devices.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'user.data'],
    provides: ['notifications'],
    optional: ['chats', 'mail', 'runs'],
    config: settingsSchema,
    routes: ['/api/notifications'],
    tags: { notifications: 'What the service has to say to a person: the list, and which kinds they want where.' },
    events: eventTypes,
    permissions: [{ kind: 'network', targets: ['*'], reason: 'Hands notifications to the push services of people’s browsers.' }],
  },
  collections: [...collections],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const settings = settingsOf(context.config)
    const { keep_days: keepDays, max_per_user: maxPerUser } = settings
    const [database, clock, events] = [context.use(databaseService), context.use(clockService), context.use(eventsService)]
    const [accounts, contributions, mail] = [context.use(accountsService), context.use(contributionsService), context.use(mailService)]
    const kinds = createKindRegistry()
    const preferences = createPreferences({ database, kinds })
    const unsubscribe = createUnsubscribe({ database, sealedFields: context.use(sealedFieldsService) })
    const list = createNotificationList({ database, clock, events })
    const marking = context.use(quotasService).limit({
      ...{ name: 'notification-marking', counts: 'requests to mark notifications as read at a time', maxPerHolder: 4 },
    })
    const metrics = createNotificationMetrics(context.use(metricsService))
    const presence = createPresence({ database, clock })
    const push = settings.push ? openPush(context, settings, { kinds, preferences, metrics }) : undefined
    const tests = context.use(quotasService).limit({ name: 'push-tests', counts: 'test notifications at a time', maxPerHolder: 1 })
    const routes = [
      ...createNotificationRoutes({ list, marking, hasDevices: (userId) => hasDevices(database, userId) }),
      ...createPreferenceRoutes({ kinds, preferences, accounts, mail }),
      ...createUnsubscribeRoutes({ unsubscribe, preferences, kinds, urls: context.use(urlService) }),
      ...createPushRoutes({ push, preferences, presence, tests }),
    ]
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(schedulerJobs, createPruneJob({ database, clock, devices: push?.devices }))
    context.contribute(userData, createNotificationUserData(database))
    const notifications = createNotifications({ database, events, accounts, kinds })
    context.provide(notificationsService, notifications)
    for (const kind of answerKinds) context.onDispose(kinds.declare(kind))
    const parts = {
      ...{ database, clock, events, accounts, kinds, preferences, mail, unsubscribe, log: context.log },
      metrics,
      push,
      presence,
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
    context.onDispose(notifications.declare(accountRequestedKind))
    context.onDispose(await tellWaitingPeople({ accounts, notifications, log: context.log }))
    const [runs, chats] = [context.use(runsService), context.use(chatsService)]
    if (!runs || !chats) return
    await events.subscribe({
      id: 'deleted-chats',
      names: ['chat.deleted'],
      maxAgeSeconds: 86_400,
      handle: (event) => forgetAnswers(database, event),
    })
    const ofAnswers = { runs, chats, notifications, minSeconds: settings.push_answer_seconds }
    await events.subscribe({
      id: 'answers',
      names: [...answerEvents],
      maxAgeSeconds: 3_600,
      handle: (event, options) =>
        tellOfAnswer({ ...ofAnswers, hasDevices: async (userId) => settings.push && (await hasDevices(database, userId)) }, event, options),
    })
  },
})
export default plugin
