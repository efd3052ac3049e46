import type { Disposer, Logger } from '@agent-service/sdk'
import type { Accounts, WaitingPerson } from '@agent-service/sdk/services/accounts'
import type { NotificationKind, Notifications } from '@agent-service/sdk/services/notifications'

/** The notification for administrators when somebody asks for an account. */
export const accountRequestedKind: NotificationKind = {
  id: 'account.requested',
  app: true,
  mail: true,
  audience: 'admins',
  mailsPerHour: 3,
  title: { en: 'Somebody asks for an account', de: 'Jemand bittet um ein Konto' },
  description: {
    en: 'A person has signed up and waits until an administrator approves the account.',
    de: 'Eine Person hat sich registriert und wartet, bis ein Administrator das Konto freigibt.',
  },
}

/**
 * Tells administrators of everyone who waits for an account: of those who wait now, in case the
 * service stopped before they were told, and of each later one. The request is the key, so that
 * nobody is told twice.
 */
export async function tellWaitingPeople(parts: {
  readonly accounts: Pick<Accounts, 'waiting' | 'watchWaiting'>
  readonly notifications: Pick<Notifications, 'send'>
  readonly log: Pick<Logger, 'warn'>
}): Promise<Disposer> {
  const { accounts, notifications, log } = parts
  const tell = async ({ id, username }: WaitingPerson): Promise<void> => {
    try {
      await notifications.send({
        to: 'admins',
        kind: accountRequestedKind.id,
        key: id,
        title: `“${username}” asks for an account`,
        text: 'The person cannot sign in before you approve it, and waits for two weeks.',
        link: '/admin/users',
      })
    } catch (error) {
      log.warn('Administrators were not told of a person who asks for an account.', { request_id: id, error })
    }
  }
  const stop = accounts.watchWaiting((person) => void tell(person))
  for (const person of await accounts.waiting()) await tell(person)
  return stop
}
