import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { KindRegistry } from '../kinds/kind-registry.js'
import { type CheckedInput, checkInput } from './check-input.js'

/**
 * The service for other plugins. What they send is an event in their own transaction, of which only
 * the kernel's log is a part; a durable
 * subscription (`delivery/deliver-notification`) does the rest after the commit.
 */
export function createNotifications(dependencies: {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly accounts: Pick<Accounts, 'admins'>
  readonly kinds: KindRegistry
}): Notifications {
  const { database, events, accounts, kinds } = dependencies
  return Object.freeze<Notifications>({
    declare: (kind) => kinds.declare(kind),
    async send(notification, { transaction } = {}) {
      const checked = checkInput(notification)
      const { to } = notification
      const userIds = to === 'admins' ? (await accounts.admins()).map(({ id }) => id) : [to.userId]
      const record = (into: Transaction): void => {
        for (const userId of userIds) events.record(into, { userId, name: 'notification.requested', data: dataOf(checked) })
      }
      if (transaction) record(transaction)
      else if (userIds.length > 0) await database.transaction(async (own) => record(own))
    },
  })
}

const dataOf = (checked: CheckedInput) => ({ ...checked, ...idsOf(checked.about) })

/** The ids by which streams of events are filtered. */
export const idsOf = ({ chat_id, run_id }: Readonly<Record<string, string>>) => ({
  ...(chat_id === undefined ? {} : { chat_id }),
  ...(run_id === undefined ? {} : { run_id }),
})
