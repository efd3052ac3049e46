import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { textOf } from '../common/time.js'
import { type LogEntry, logCollection } from '../store/log-entry.js'
import { ensureTotals } from '../store/totals.js'
import { createOrderedIds } from './ordered-ids.js'

/** A line to write. Absent members are null. */
export type NewLogEntry = Pick<LogEntry, 'user_id' | 'kind'> & Partial<Omit<LogEntry, 'id' | 'at'>>

/** The access log: for the owner of credentials and agents. */
export interface AccessLog {
  /** Writes a line with a change, atomically. */
  record(transaction: Transaction, entry: NewLogEntry): void
  /** Writes a line; resolves when it is stored. */
  note(entry: NewLogEntry): Promise<void>
}

export function createAccessLog({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'transaction'>
  readonly clock: Pick<Clock, 'now'>
}): AccessLog {
  const nextId = createOrderedIds()
  const complete = (entry: NewLogEntry): LogEntry => {
    const now = clock.now()
    return {
      ...{ outcome: 'ok', code: null, agent_id: null, name: null, title: null, vault_id: null, use: null, target: null },
      ...{ chat_id: null, run_id: null, call_id: null },
      ...entry,
      ...{ id: nextId(now), at: textOf(now) },
    }
  }
  return {
    record: (transaction, entry) => transaction.insert(logCollection, complete(entry)),
    note: (entry) =>
      database.transaction(async (transaction) => {
        // What prunes the log finds the users by their totals.
        await ensureTotals(transaction, entry.user_id)
        transaction.insert(logCollection, complete(entry))
      }),
  }
}
