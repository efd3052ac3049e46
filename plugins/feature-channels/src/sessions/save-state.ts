import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import {
  type Connection,
  type ConnectionFailure,
  type ConnectionState,
  connectionCollection,
  stateCollection,
} from '../store/connection.js'

/** Whom a change of a connection is reported to: its owner, or every administrator. */
export async function watchersOf({ accounts }: Pick<ChannelParts, 'accounts'>, userId: string | null): Promise<readonly string[]> {
  return userId === null ? (await accounts.admins()).map(({ id }) => id) : [userId]
}

/** What has become of a connection. */
export interface StateChange {
  readonly state: ConnectionState
  readonly failure?: Omit<ConnectionFailure, 'at'> | null
  readonly failures?: number
  readonly nextAttemptAt?: number | null
  readonly account?: Connection['account']
  readonly form?: Connection['form']
}

/**
 * Stores the state of a connection and reports it. False, and nothing is stored, when the connection is
 * another one by now: it was changed, switched off or deleted.
 */
export async function saveState(
  parts: ChannelParts,
  of: Pick<Connection, 'id' | 'user_id' | 'generation'>,
  change: StateChange,
): Promise<boolean> {
  const { database, events, clock, notifications } = parts
  const watchers = await watchersOf(parts, of.user_id)
  return database.transaction(async (transaction) => {
    const stored = await transaction.get(connectionCollection, of.id)
    if (!stored?.enabled || stored.generation !== of.generation) return false
    const now = textOf(clock.now())
    const { state, failures = stored.failures, nextAttemptAt = null } = change
    const failure = change.failure === undefined ? stored.failure : change.failure && { ...change.failure, at: now }
    const next: Connection = {
      ...stored,
      ...{ state, failure, failures, next_attempt_at: nextAttemptAt === null ? null : textOf(nextAttemptAt) },
      connected_at: state === 'connected' ? (stored.state === 'connected' ? stored.connected_at : now) : null,
      ...(change.account !== undefined && { account: change.account }),
      ...(change.form !== undefined && { form: change.form }),
    }
    transaction.put(connectionCollection, next)
    // The position of one account means nothing for another.
    if (change.account && stored.account && change.account.id !== stored.account.id) transaction.delete(stateCollection, of.id)
    for (const userId of watchers)
      events.record(transaction, {
        ...{ userId, name: 'channel.updated' },
        data: { connection_id: of.id, change: 'state', state, next_attempt_at: next.next_attempt_at },
      })
    if (state === 'failed' && stored.state !== 'failed')
      await notifications?.send(
        {
          ...{ to: of.user_id === null ? 'admins' : { userId: of.user_id }, kind: 'channel.failed', key: `${of.id}.${of.generation}` },
          ...{ title: `${stored.title} is no longer connected`.slice(0, 200), text: failure?.message ?? '' },
          ...{ link: `${of.user_id === null ? '/admin' : ''}/channels/${of.id}`, about: { connection_id: of.id } },
        },
        { transaction },
      )
    return true
  })
}
