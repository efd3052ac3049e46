import type { JsonObject } from '@agent-service/sdk'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'

/** What happens to memories, as events and metrics name it. */
export const changeKinds = ['remembered', 'changed', 'forgotten', 'imported', 'restored', 'retried', 'excluded', 'included'] as const

export type ChangeKind = (typeof changeKinds)[number]

/** A change of a user's memories. */
export interface MemoryUpdate {
  readonly userId: string
  readonly change: ChangeKind
  readonly memoryId?: string | undefined
  readonly chatId?: string | undefined
  readonly runId?: string | undefined
}

/** Tells the user's screens, and what keeps texts of their memories. */
export interface Changes {
  /** After a back end has stored a change. */
  report(update: MemoryUpdate): Promise<void>
  /** With a change in the database of this plugin. Call `done` after the commit. */
  record(transaction: Transaction, update: MemoryUpdate): void
  /** Texts of this user's memories are outdated. */
  done(update: MemoryUpdate): void
}

/** Makes the reports: an event on the user's stream, and a call of `onChange` in this process. */
export function createChanges(dependencies: {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly onChange: (update: MemoryUpdate) => void
}): Changes {
  const { database, events, onChange } = dependencies
  const record: Changes['record'] = (transaction, update) =>
    events.record(transaction, { userId: update.userId, name: 'memory.updated', data: dataOf(update) })
  return {
    async report(update) {
      onChange(update)
      await database.transaction(async (transaction) => record(transaction, update))
    },
    record,
    done: onChange,
  }
}

const dataOf = ({ change, memoryId, chatId, runId }: MemoryUpdate): JsonObject => ({
  change,
  ...(memoryId !== undefined && { memory_id: memoryId }),
  ...(chatId !== undefined && { chat_id: chatId }),
  ...(runId !== undefined && { run_id: runId }),
})
