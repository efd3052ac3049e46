import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { notificationCollection, timeText } from './notification.js'
import { count } from './notification-list.js'

const batch = 100

/** Deletes notifications that are older than the setting, keys of deleted ones, and devices whose session has ended. */
export const createPruneJob = ({
  database,
  clock,
  devices,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly devices?: { sweep(signal: AbortSignal): Promise<void> } | undefined
}): SchedulerJob =>
  defineJob({
    id: 'feature-notifications.prune',
    title: 'Delete old notifications',
    everySeconds: 3_600,
    timeoutSeconds: 300,
    async run({ signal }) {
      await devices?.sweep(signal)
      const to = timeText(clock.now())
      for (;;) {
        signal.throwIfAborted()
        const old = await database.collection(notificationCollection).query({ index: 'by_forget', to, limit: batch })
        if (old.items.length === 0) return
        await database.transaction(async (transaction) => {
          const changes = new Map<string, { listed: number; unread: number }>()
          for (const { id } of old.items) {
            const item = await transaction.get(notificationCollection, id)
            if (!item || item.forget_at >= to) continue
            transaction.delete(notificationCollection, id)
            if (item.place !== 'list') continue
            const change = changes.get(item.user_id) ?? { listed: 0, unread: 0 }
            change.listed -= 1
            if (item.unread) change.unread -= 1
            changes.set(item.user_id, change)
          }
          for (const [userId, change] of changes) await count(transaction, userId, change)
        })
      }
    },
  })
