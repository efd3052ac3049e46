import type { NotificationKind } from '@agent-service/sdk/services/notifications'

/** What people are told about their chats while they do not look at them: on devices alone, unless they choose otherwise. */
export const answerKinds: readonly NotificationKind[] = [
  {
    id: 'answer.finished',
    app: false,
    mail: false,
    push: true,
    audience: 'everyone',
    title: { en: 'An answer is ready', de: 'Eine Antwort ist fertig' },
    description: {
      en: 'An answer that took a while has ended, and you looked at no page of the console.',
      de: 'Eine Antwort, die gedauert hat, ist zu Ende, und du hattest keine Seite der Konsole vor dir.',
    },
  },
  {
    id: 'answer.waiting',
    app: false,
    mail: false,
    push: true,
    audience: 'everyone',
    title: { en: 'A chat waits for you', de: 'Ein Chat wartet auf dich' },
    description: {
      en: 'An agent in a chat needs an answer or an approval, and you looked at no page of the console.',
      de: 'Ein Agent in einem Chat braucht eine Antwort oder eine Freigabe, und du hattest keine Seite der Konsole vor dir.',
    },
  },
]
