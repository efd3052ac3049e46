import type { JsonObject } from '@agent-service/sdk'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import { type AuditRecord, auditEvents } from './audit-records.js'

/** Members of an entry that may contain a name of the account's person. */
const naming: ReadonlySet<string> = new Set(['username', 'from', 'to', 'email', 'name'])

/**
 * The data of an account in the audit log. The log belongs to the operator, so nothing is exported.
 * Its entries outlive the account: they keep its id. Here entries about the account lose the members
 * that hold names, also those of its tokens; its own names are replaced everywhere by `eraseNames`.
 */
export function createAuditUserData({ database }: { readonly database: Database }): UserData {
  return {
    specVersion: 1,
    id: 'kernel-audit',
    collections: [],
    async *export() {
      yield* []
    },
    async erase(userId, { signal }) {
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await database
          .collection(auditEvents)
          .query({ index: 'by_subject', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        const named = page.items.filter(hasNames)
        if (named.length > 0) await removeNames(database, named)
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },
    handOver: async () => [],
    size: async () => ({ records: 0, bytes: 0 }),
  }
}

const removeNames = (database: Database, entries: readonly AuditRecord[]): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const entry of entries) transaction.put(auditEvents, withoutNames(entry))
  })

const statesOf = ({ details, before, after }: AuditRecord): readonly JsonObject[] => [details, before ?? {}, after ?? {}]

const hasNames = (entry: AuditRecord): boolean => statesOf(entry).some((state) => Object.keys(state).some((name) => naming.has(name)))

const withoutNames = (entry: AuditRecord): AuditRecord => ({
  ...entry,
  details: unnamed(entry.details),
  ...(entry.before ? { before: unnamed(entry.before) } : {}),
  ...(entry.after ? { after: unnamed(entry.after) } : {}),
})

const unnamed = (state: JsonObject): JsonObject => Object.fromEntries(Object.entries(state).filter(([name]) => !naming.has(name)))
