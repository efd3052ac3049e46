import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { codeLifeMs, dedupMs, historyMs } from './common/limits.js'
import { textOf } from './common/time.js'
import { removeCopy } from './outbox/kept-copies.js'
import type { ChannelParts } from './parts/channel-parts.js'
import { deliveryCollection } from './store/delivery.js'
import { inboxCollection } from './store/inbox.js'
import { senderCollection } from './store/sender.js'

/** How long a person who asked to be let in is remembered after their code has expired, in milliseconds. */
const askedMs = 24 * codeLifeMs

/** Deletes deliveries and received messages that were settled long ago, and people who asked in vain. */
export const createPruneJob = (parts: ChannelParts): SchedulerJob =>
  defineJob({
    id: 'feature-channels.prune',
    title: 'Delete old messages of channels',
    everySeconds: 3_600,
    timeoutSeconds: 300,
    async run({ signal }) {
      const { database, clock } = parts
      for (const [collection, ageMs] of [
        [deliveryCollection, historyMs],
        [inboxCollection, dedupMs],
      ] as const)
        for (;;) {
          signal.throwIfAborted()
          const old = await database
            .collection<{ readonly id: string; readonly keeps?: string | null }>(collection)
            .query({ index: 'by_settled', from: '', to: textOf(clock.now() - ageMs), limit: 100 })
          if (old.items.length === 0) break
          const deleted = await database.transaction(async (transaction) => {
            const settled: (typeof old.items)[number][] = []
            for (const item of old.items) {
              const stored = await transaction.get<{ readonly id: string; readonly settled_at: string | null }>(collection, item.id)
              // It is sent again meanwhile.
              if (stored?.settled_at == null) continue
              transaction.delete(collection, item.id)
              settled.push(item)
            }
            return settled
          })
          for (const { id, keeps = null } of deleted) await removeCopy(parts, { id, keeps })
        }
      await forgetPending(parts, signal)
    },
  })

/** Whose code expired long ago, with the messages that were held for them. */
async function forgetPending({ database, clock }: ChannelParts, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const old = await database
      .collection(senderCollection)
      .query({ index: 'by_expiry', from: '', to: textOf(clock.now() - askedMs), limit: 50 })
    if (old.items.length === 0) return
    for (const { id } of old.items) {
      const held = await database.collection(inboxCollection).query({ index: 'by_held', equals: [id], limit: 200 })
      await database.transaction(async (transaction) => {
        // What is held no longer belongs to someone who was let in meanwhile.
        for (const message of held.items)
          if ((await transaction.get(inboxCollection, message.id))?.held_for === id) transaction.delete(inboxCollection, message.id)
        const sender = await transaction.get(senderCollection, id)
        if (sender?.state === 'pending') transaction.delete(senderCollection, id)
        else if (sender) transaction.put(senderCollection, { ...sender, code_expires_at: null })
      })
    }
  }
}
