import { notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { countsCollection, notificationCollection, rememberMs, type StoredNotification, timeText } from './notification.js'

/** One page of a list. */
export interface NotificationPage {
  readonly items: readonly StoredNotification[]
  readonly next_cursor: string | null
}

/** What people do with their notifications. */
export interface NotificationList {
  /** The newest first. */
  page(userId: string, query: { readonly limit?: number; readonly cursor?: string; readonly unread?: boolean }): Promise<NotificationPage>
  unread(userId: string): Promise<number>
  /** @throws `not_found`. */
  mark(userId: string, id: string, read: boolean): Promise<StoredNotification>
  /** @throws `not_found`. */
  remove(userId: string, id: string): Promise<void>
  /** Marks as read: all, or those up to one. Returns how many are unread now. */
  readAll(userId: string, options: { readonly until?: string; readonly signal: AbortSignal }): Promise<number>
}

/** How many are marked in one transaction. */
const batch = 200

export function createNotificationList(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly events: Pick<Events, 'record'>
}): NotificationList {
  const { database, clock, events } = dependencies
  const items = database.collection(notificationCollection)
  const unreadOf = async (userId: string): Promise<number> => (await database.collection(countsCollection).get(userId))?.unread ?? 0

  return {
    page: (userId, { unread, ...query }) => {
      const place = unread === true ? { index: 'by_unread', equals: [userId, true] } : { index: 'by_place', equals: [userId, 'list'] }
      return pageOfIndex(items, { ...place, order: 'descending' }, query)
    },
    unread: unreadOf,
    mark: (userId, id, read) =>
      database.transaction(async (transaction) => {
        const item = await ownItem(transaction, userId, id)
        if ((item.unread === null) === read) return item
        const changed: StoredNotification = { ...item, ...(read ? readNow(clock) : { unread: true, read_at: null }) }
        transaction.put(notificationCollection, changed)
        const unread = await count(transaction, userId, { listed: 0, unread: read ? -1 : 1 })
        const data = { notification_id: id, state: read ? 'read' : 'unread', unread }
        events.record(transaction, { userId, name: 'notification.updated', data })
        return changed
      }),
    remove: (userId, id) =>
      database.transaction(async (transaction) => {
        const item = await ownItem(transaction, userId, id)
        const emptied = { title: '', text: '', link: null, about: {}, unread: null } as const
        transaction.put(notificationCollection, { ...item, ...emptied, place: 'gone', forget_at: timeText(clock.now() + rememberMs) })
        const unread = await count(transaction, userId, { listed: -1, unread: item.unread ? -1 : 0 })
        events.record(transaction, { userId, name: 'notification.updated', data: { notification_id: id, state: 'deleted', unread } })
      }),
    async readAll(userId, { until, signal }) {
      for (;;) {
        signal.throwIfAborted()
        const bound = until === undefined ? {} : { to: `${until}\u0000` }
        const page = await items.query({ index: 'by_unread', equals: [userId, true], limit: batch, ...bound })
        if (page.items.length === 0) return unreadOf(userId)
        await database.transaction(async (transaction) => {
          let marked = 0
          for (const { id } of page.items) {
            const item = await transaction.get(notificationCollection, id)
            if (!item?.unread) continue
            transaction.put(notificationCollection, { ...item, ...readNow(clock) })
            marked += 1
          }
          if (marked === 0) return
          const unread = await count(transaction, userId, { listed: 0, unread: -marked })
          events.record(transaction, { userId, name: 'notification.updated', data: { notification_id: null, state: 'read', unread } })
        })
      }
    },
  }
}

const readNow = (clock: Pick<Clock, 'now'>) => ({ unread: null, read_at: timeText(clock.now()) })

async function ownItem(transaction: Transaction, userId: string, id: string): Promise<StoredNotification> {
  const item = await transaction.get(notificationCollection, id)
  if (item?.user_id !== userId || item.place !== 'list') throw notFoundError.create({ what: 'notification' })
  return item
}

/** Changes the counts. Returns how many are unread. */
export async function count(
  transaction: Transaction,
  userId: string,
  change: { readonly listed: number; readonly unread: number },
): Promise<number> {
  const before = await transaction.get(countsCollection, userId)
  const unread = Math.max(0, (before?.unread ?? 0) + change.unread)
  const listed = Math.max(0, (before?.listed ?? 0) + change.listed)
  transaction.put(countsCollection, { id: userId, user_id: userId, listed, unread })
  return unread
}
