import { sendEvent } from '@agent-service/sdk/web/testing'
import type { Schemas } from '../api/index.js'

type Notification = Schemas['Notification']
type Kind = Schemas['NotificationKind']

const completed = { en: 'A task is completed', de: 'Eine Aufgabe ist erledigt' }
const failed = { en: 'A task has failed', de: 'Eine Aufgabe ist gescheitert' }

/** An unread notification. Its id follows from its title. */
export const notification = (input: Partial<Notification> = {}): Notification => {
  const { title = 'Count the invoices' } = input
  return {
    id: `notification of ${title}`,
    kind: 'task.completed',
    title,
    text: 'Two of them are overdue.',
    link: '/tasks/task_1',
    about: {},
    created_at: '2026-12-01T08:00:00Z',
    read: false,
    read_at: null,
    ...input,
  }
}

/** A kind that the person gets everywhere. */
export const kind = (input: Partial<Kind> = {}): Kind => ({
  kind: 'task.completed',
  title: completed,
  description: { en: 'With its result.' },
  app: true,
  mail: true,
  push: true,
  default: { app: true, mail: false, push: true },
  ...input,
})

/** What the person wants, with e-mail and two kinds. */
export const preferences = (input: Partial<Schemas['NotificationPreferences']> = {}): Schemas['NotificationPreferences'] => ({
  kinds: [kind(), kind({ kind: 'task.failed', title: failed })],
  mail: { available: true, address: 'ada@example.com', reason: null },
  ...input,
})

/** Has it arrive, as the last of so many unread ones. */
export function arrive({ id, read: _, read_at: __, ...item }: Notification, unread: number): void {
  sendEvent<Schemas['NotificationCreatedEvent']>('notification.created', { notification_id: id, ...item, unread })
}

/** Tells what became of one, or with null of all of them, as when they are changed in another tab. */
export const tellOf = (data: Schemas['NotificationUpdatedEventData']): void =>
  sendEvent<Schemas['NotificationUpdatedEvent']>('notification.updated', data)
