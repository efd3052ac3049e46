import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '@agent-service/sdk/services/database'
import { type AuditRecord, auditEvents } from '../audit/audit-records.js'
import { timestamp } from '../records/timestamps.js'
import { settleMs } from './account-names.js'
import { createNameRemover, type NamelessAccount } from './without-names.js'

const pageSize = 100

/**
 * Takes the names of a deleted account out of every entry of the audit log from a time on, a page at
 * a time, so that others can work in between. `onPage` is called when everything up to a time is
 * done. Safe to repeat.
 */
export async function eraseNames(
  database: Database,
  account: NamelessAccount,
  options: { readonly from: string | null; readonly onPage: (to: string) => Promise<void>; readonly signal: AbortSignal },
): Promise<void> {
  const { from, onPage, signal } = options
  const withoutNames = createNameRemover(account)
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await database.collection(auditEvents).query({
      ...{ index: 'by_time', limit: pageSize },
      ...(from === null ? {} : { from }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const named = page.items.filter((entry) => withoutNames(entry) !== entry)
    if (named.length > 0) await rewrite(database, named, withoutNames)
    const last = page.items.at(-1)
    if (last) await onPage(last.at)
    await nextTurn()
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** Read again: an entry may have been deleted since. */
const rewrite = (database: Database, entries: readonly AuditRecord[], withoutNames: (entry: AuditRecord) => AuditRecord): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const { id } of entries) {
      const entry = await transaction.get(auditEvents, id)
      if (entry) transaction.put(auditEvents, withoutNames(entry))
    }
  })

/** From when the last reading begins: what is noted late has an earlier time. */
export const lastReadingFrom = (requestedAt: string): string => timestamp(Date.parse(requestedAt) - settleMs)
