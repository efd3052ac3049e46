import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Changes } from '../common/changes.js'
import type { MemoryMetrics } from '../common/metrics.js'
import type { ChatChoices } from './chat-choice.js'

/**
 * Stores whether a chat is remembered, with the event by which the back end learns of it, also after
 * a crash. Does nothing if it is so already.
 */
export type ChooseForChat = (choice: { readonly userId: string; readonly chatId: string; readonly remember: boolean }) => Promise<void>

export function createChooseForChat(dependencies: {
  readonly database: Database
  readonly choices: Pick<ChatChoices, 'set'>
  readonly changes: Pick<Changes, 'record' | 'done'>
  readonly metrics: Pick<MemoryMetrics, 'changed'>
  readonly clock: Pick<Clock, 'now'>
}): ChooseForChat {
  const { database, choices, changes, metrics, clock } = dependencies
  return async ({ userId, chatId, remember }) => {
    const update = { userId, chatId, change: remember ? 'included' : 'excluded' } as const
    const at = new Date(clock.now()).toISOString()
    const hasChanged = await database.transaction(async (transaction) => {
      const changed = await choices.set(transaction, { userId, chatId, remember, at })
      if (changed) changes.record(transaction, update)
      return changed
    })
    if (!hasChanged) return
    metrics.changed(update.change)
    changes.done(update)
  }
}
