import type { NotificationKind } from '@agent-service/sdk/services/notifications'

/** What its owner is told about a task. */
export type TaskNotificationKind = 'task.completed' | 'task.failed' | 'task.waiting' | 'task.heartbeat' | 'task.reminder' | 'task.late'

/** One cause can stop all tasks of a person at once: after a few e-mails the list says the rest. */
const mailsPerHour = 5

const kind = (
  id: TaskNotificationKind,
  mail: boolean,
  title: NotificationKind['title'],
  description: NotificationKind['description'],
): NotificationKind => ({
  ...{ id, title, description, app: true, mail, audience: 'everyone' },
  ...((id === 'task.failed' || id === 'task.late') && { mailsPerHour }),
})

/** Every kind of notification about tasks. */
export const taskKindsOfNotifications: readonly NotificationKind[] = [
  kind(
    'task.completed',
    false,
    { en: 'A task is completed', de: 'Eine Aufgabe ist erledigt' },
    {
      en: 'A background task that you wanted to hear about has its result.',
      de: 'Eine Aufgabe, über die du Bescheid wissen wolltest, hat ihr Ergebnis.',
    },
  ),
  kind(
    'task.failed',
    true,
    { en: 'A task failed', de: 'Eine Aufgabe ist gescheitert' },
    { en: 'A background task could not be completed.', de: 'Eine Aufgabe konnte nicht erledigt werden.' },
  ),
  kind(
    'task.late',
    true,
    { en: 'A task did not run in time', de: 'Eine Aufgabe lief nicht zur Zeit' },
    {
      en: 'The time of a task has passed, and no run of it has begun.',
      de: 'Die Zeit einer Aufgabe ist vorbei, ohne dass ein Lauf begonnen hat.',
    },
  ),
  kind(
    'task.waiting',
    false,
    { en: 'A task waits for you', de: 'Eine Aufgabe wartet auf dich' },
    { en: 'A background task needs an answer or an approval.', de: 'Eine Aufgabe braucht eine Antwort oder eine Freigabe.' },
  ),
  kind(
    'task.heartbeat',
    false,
    { en: 'A heartbeat reports something', de: 'Ein Dauerauftrag meldet etwas' },
    { en: 'An agent found something that you should know.', de: 'Ein Agent hat etwas gefunden, das du wissen solltest.' },
  ),
  kind(
    'task.reminder',
    true,
    { en: 'A reminder', de: 'Eine Erinnerung' },
    { en: 'Something that you wanted to be reminded of.', de: 'Etwas, woran du erinnert werden wolltest.' },
  ),
]

/** What has happened, as e-mails say it. */
export const titleOfKind = (id: TaskNotificationKind): string => taskKindsOfNotifications.find((each) => each.id === id)?.title.en ?? id
