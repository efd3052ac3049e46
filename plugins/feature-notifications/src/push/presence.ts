import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { timeText } from '../store/notification.js'
import { presenceCollection } from '../store/push-store.js'

/** A visible page reports every minute; one that was closed by force counts no longer than this. */
const seenMs = 90_000
const maxPages = 20

/** Whether people look at the console. Stored: another process may have to know. */
export interface PresenceOfPeople {
  note(userId: string, page: string, isVisible: boolean): Promise<void>
  isLooking(userId: string): Promise<boolean>
}

export function createPresence({ database, clock }: { readonly database: Database; readonly clock: Clock }): PresenceOfPeople {
  return {
    note: (userId, page, isVisible) =>
      database.transaction(async (transaction) => {
        const before = (await transaction.get(presenceCollection, userId))?.pages ?? {}
        const now = timeText(clock.now())
        const others = Object.entries(before).filter(([id, until]) => id !== page && until > now)
        const own = isVisible ? [[page, timeText(clock.now() + seenMs)]] : []
        const pages = Object.fromEntries([...others.slice(-(maxPages - 1)), ...own])
        transaction.put(presenceCollection, { id: userId, user_id: userId, pages })
      }),
    async isLooking(userId) {
      const now = timeText(clock.now())
      const pages = (await database.collection(presenceCollection).get(userId))?.pages ?? {}
      return Object.values(pages).some((until) => until > now)
    },
  }
}
