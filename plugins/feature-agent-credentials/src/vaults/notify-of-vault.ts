import type { Transaction } from '@agent-service/sdk/services/database'
import type { NotificationKind, Notifications } from '@agent-service/sdk/services/notifications'
import type { Vault } from '../store/vault.js'
import { lastingFailures } from './sync-times.js'

/** What its owner, or the administrators for the deployment's, are told about a connection. */
export const vaultKindsOfNotifications: readonly NotificationKind[] = [
  {
    id: 'vault.failed',
    title: { en: 'A vault refuses its connection', de: 'Ein Tresor lehnt seine Verbindung ab' },
    description: {
      en: 'A connection to a vault needs new credentials, or cannot be read.',
      de: 'Eine Verbindung zu einem Tresor braucht neue Zugangsdaten oder kann nicht gelesen werden.',
    },
    ...{ app: true, mail: true, audience: 'everyone' },
  },
]

/** Tells of a failure that a retry does not mend, once for each state of the connection. */
export async function notifyOfVault(
  notifications: Pick<Notifications, 'send'>,
  transaction: Transaction,
  { id, user_id: userId, title, generation, failure, synced_at: syncedAt }: Vault,
): Promise<void> {
  if (failure === null || !lastingFailures.has(failure.code)) return
  await notifications.send(
    {
      to: userId === null ? 'admins' : { userId },
      ...{ kind: 'vault.failed', key: `${id}.${generation}.${failure.code}.${syncedAt ?? 'never'}` },
      ...{ title: `${title} refuses its connection`.slice(0, 200), text: failure.message, link: '/credentials', about: { vault_id: id } },
    },
    { transaction },
  )
}
