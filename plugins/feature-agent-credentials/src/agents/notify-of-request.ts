import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { NotificationKind, Notifications } from '@agent-service/sdk/services/notifications'
import { requestToolName } from './credential-tools.js'

/** What a person is told when an agent asks for a credential. */
export const requestKindOfNotifications: NotificationKind = {
  id: 'credential.requested',
  title: { en: 'An agent asks for a credential', de: 'Ein Agent bittet um Zugangsdaten' },
  description: {
    en: 'An agent wants to use one of your credentials, and waits for your answer.',
    de: 'Ein Agent möchte deine Zugangsdaten benutzen und wartet auf deine Antwort.',
  },
  ...{ app: true, mail: false, audience: 'everyone' },
}

/** Tells people of questions of the tool that asks for a credential, once for each question. */
export const createRequestSubscription = (notifications: Pick<Notifications, 'send'>): EventSubscription => ({
  id: 'requested-credentials',
  names: ['approval.requested'],
  maxAgeSeconds: 86_400,
  async handle(event) {
    if (event.kind === 'gap') return
    const { chat_id: chatId, run_id: runId, approval } = event.data
    const {
      call_id: id,
      tool,
      purpose,
    } = (typeof approval === 'object' && approval !== null ? approval : {}) as Readonly<Record<string, unknown>>
    if (tool !== requestToolName || typeof id !== 'string' || typeof chatId !== 'string' || typeof runId !== 'string') return
    await notifications.send({
      ...{ to: { userId: event.userId }, kind: requestKindOfNotifications.id, key: id },
      ...{ title: requestKindOfNotifications.title.en, text: typeof purpose === 'string' ? purpose : '' },
      ...{ link: `/chats/${chatId}`, about: { chat_id: chatId, run_id: runId } },
    })
  },
})
