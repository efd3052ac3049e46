import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import { deleteOlder } from '../database/delete-older.js'
import { type AuditActor, type AuditKind, type AuditRecord, auditEvents } from './audit-records.js'

const keptMs = 365 * 24 * 60 * 60 * 1000

/** One security event. */
export interface AuditEntry {
  readonly kind: AuditKind
  readonly actor: AuditActor
  readonly subjectId: string | null
  readonly details?: JsonObject
}

/** Which events to list: of one kind, or by one actor, or about one account; between two moments. */
export interface AuditFilter {
  readonly by?: { readonly index: 'by_kind' | 'by_actor' | 'by_subject'; readonly value: string }
  /** Inclusive, RFC 3339 in UTC. */
  readonly from?: string
  /** Exclusive. */
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

/** Who did what, when and from where: for admins. Kept for a year. */
export interface AuditLog {
  /** Notes an event with the change that it is about: both are there or neither. */
  record(transaction: Transaction, entry: AuditEntry): void
  /** Notes an event that changes nothing. */
  note(entry: AuditEntry): Promise<void>
  /** Notes an event of a plugin's own kind, with the plugin's id. */
  noteFor(pluginId: string, event: { readonly kind: string; readonly actor: AuditActor; readonly details: JsonObject }): Promise<void>
  /** The latest first. */
  list(filter: AuditFilter): Promise<Page<AuditRecord>>
  /** Deletes what is over a year old. */
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

/** Makes the log. */
export function createAuditLog(dependencies: { readonly database: Database; readonly clock: Clock }): AuditLog {
  const { database, clock } = dependencies
  const stored = database.collection(auditEvents)
  const recordOf = ({ kind, actor, subjectId, details = {} }: Omit<AuditEntry, 'kind'> & { readonly kind: string }): AuditRecord => ({
    id: uuid(),
    at: new Date(clock.now()).toISOString(),
    kind,
    actor_id: actor.userId,
    subject_id: subjectId,
    address: actor.address,
    details,
  })
  return {
    record: (transaction, entry) => transaction.insert(auditEvents, recordOf(entry)),
    async note(entry) {
      await stored.insert(recordOf(entry))
    },
    async noteFor(pluginId, { details, ...event }) {
      await stored.insert(recordOf({ ...event, subjectId: null, details: { ...details, plugin: pluginId } }))
    },
    list: ({ by, ...range }) =>
      stored.query({ index: by?.index ?? 'by_time', ...(by ? { equals: [by.value] } : {}), order: 'descending', ...range }),
    prune: ({ signal }) =>
      deleteOlder({ database, collection: auditEvents, index: 'by_time', to: new Date(clock.now() - keptMs).toISOString(), signal }),
  }
}
