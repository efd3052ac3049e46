import type { AuditEntry as AnyAuditEntry, AuditActor } from '@agent-service/kernel-core/audit'
import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import { currentOperation } from '@agent-service/kernel-core/work'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import { v7 as uuid } from 'uuid'
import { pageOfMatches } from '../paging/page-of-matches.js'
import { type AuditOutcome, outcomeOf } from './audit-outcome.js'
import { type AuditKind, type AuditRecord, type AuditSource, auditEvents } from './audit-records.js'
import { boundedState } from './bounded-state.js'

const keptMs = 365 * 24 * 60 * 60 * 1000

/** An event of the service's own kinds. */
export interface AuditEntry extends AnyAuditEntry {
  readonly kind: AuditKind
}

/** Which events to list; every member that is given must fit. */
export interface AuditFilter {
  readonly kind?: string
  readonly actorId?: string
  readonly subjectId?: string
  readonly outcome?: AuditOutcome
  /** Inclusive, RFC 3339 in UTC. */
  readonly from?: string
  /** Exclusive. */
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

/**
 * Who did what, when and from where; for administrators. Events are kept for a year. Events during
 * a request also have its data.
 */
export interface AuditLog {
  /** Stores an event in the transaction of its change: both are committed or neither. */
  record(transaction: Transaction, entry: AuditEntry): void
  /** Stores an event that has no change in the database; it is durable when this resolves. */
  note(entry: AuditEntry): Promise<void>
  /** {@link note} for an event of a plugin's own kind, with the plugin's id. */
  noteFor(pluginId: string, entry: AnyAuditEntry): Promise<void>
  /**
   * {@link record} for an event of a plugin's own kind, with the plugin's id. The transaction is
   * the kernel's view of the plugin's.
   */
  recordFor(transaction: Transaction, pluginId: string, entry: AnyAuditEntry): void
  /**
   * Stores an event that was noted in a file while the database could not be written. A second time
   * it replaces the same record.
   */
  take(record: AuditRecord): Promise<void>
  /**
   * The latest first. With several filters a page may have fewer events than its limit, or none,
   * while more follow.
   */
  list(filter: AuditFilter): Promise<Page<AuditRecord>>
  /** Deletes events that are older than a year. */
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

/** Makes the log. `redactor` masks known secrets, in case one gets into an entry. */
export function createAuditLog(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly redactor?: { text(text: string): string }
}): AuditLog {
  const { database, clock, redactor } = dependencies
  const mask = redactor ? (text: string) => redactor.text(text) : (text: string) => text
  const stored = database.collection(auditEvents)
  const recordNow = (entry: AnyAuditEntry): AuditRecord => auditRecordOf(entry, clock.now(), mask)
  const recordOfPlugin = (pluginId: string, { details, ...entry }: AnyAuditEntry): AuditRecord =>
    recordNow({ ...entry, details: { ...details, plugin: pluginId } })
  const insert = async (record: AuditRecord): Promise<void> => {
    await stored.insert(record)
    seen(record)
  }
  const insertWithin = (transaction: Transaction, record: AuditRecord): void => {
    transaction.insert(auditEvents, record)
    seen(record)
  }
  return {
    record: (transaction, entry) => insertWithin(transaction, recordNow(entry)),
    note: (entry) => insert(recordNow(entry)),
    noteFor: (pluginId, entry) => insert(recordOfPlugin(pluginId, entry)),
    recordFor: (transaction, pluginId, entry) => insertWithin(transaction, recordOfPlugin(pluginId, entry)),
    async take({ before, after, details, ...record }) {
      const stateOf = (state: JsonObject): JsonObject => boundedState(maskedState(state, mask))
      await stored.put({
        ...{ ...record, details: stateOf(details) },
        ...{ before: before ? stateOf(before) : null, after: after ? stateOf(after) : null },
      })
    },
    list({ kind, actorId, subjectId, outcome, limit, cursor, ...period }) {
      const [first, ...others] = (
        [
          ['by_subject', 'subject_id', subjectId],
          ['by_actor', 'actor_id', actorId],
          ['by_kind', 'kind', kind],
        ] as const
      ).flatMap(([index, member, value]) => (value === undefined ? [] : [{ index, member, value }]))
      const query = (range: { readonly limit?: number; readonly cursor?: string }) =>
        stored.query({
          index: first?.index ?? 'by_time',
          ...(first ? { equals: [first.value] } : {}),
          order: 'descending',
          ...period,
          ...range,
        })
      const range = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
      if (others.length === 0 && outcome === undefined) return query(range)
      const matches = (record: AuditRecord): boolean =>
        others.every(({ member, value }) => record[member] === value) && (outcome === undefined || outcomeOf(record) === outcome)
      return pageOfMatches({ query, matches, ...range })
    },
    prune: ({ signal }) =>
      deleteOlder({ database, collection: auditEvents, index: 'by_time', to: new Date(clock.now() - keptMs).toISOString(), signal }),
  }
}

/** The stored form of an event, with the data of the current request. */
export function auditRecordOf(entry: AnyAuditEntry, now: number, mask: (text: string) => string): AuditRecord {
  const stateOf = (state: JsonObject): JsonObject => boundedState(maskedState(state, mask))
  const { kind, actor, subjectId, before, after, details = {} } = entry
  const operation = actor.address === null ? undefined : currentOperation()
  const isOwn = operation !== undefined && actor.userId === operation.userId
  return {
    ...{ id: uuid(), at: new Date(now).toISOString(), kind, source: sourceOf(actor) },
    ...{ actor_id: actor.userId, address: actor.address },
    ...{ session_id: isOwn ? operation.sessionId : null, token_id: isOwn ? operation.tokenId : null },
    ...{ operation: actor.command ?? operation?.operationId ?? null, request_id: operation?.requestId ?? null },
    ...{ subject_id: subjectId, details: stateOf(details) },
    ...{ before: before ? stateOf(before) : null, after: after ? stateOf(after) : null },
  }
}

function sourceOf({ address, command }: AuditActor): AuditSource {
  if (command !== undefined) return 'command_line'
  return address === null ? 'service' : 'request'
}

/** Marks the current request as noted, if the entry has its user as actor. */
function seen({ actor_id: actorId }: AuditRecord): void {
  const operation = currentOperation()
  if (operation && actorId !== null && actorId === operation.userId) operation.noted = true
}

/**
 * A copy with `mask` applied to every text. Names are not masked, since the schema or a plugin
 * defines them.
 */
const maskedState = (state: JsonObject, mask: (text: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(state).map(([name, value]) => [name, masked(value, mask)]))

function masked(value: JsonValue, mask: (text: string) => string): JsonValue {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => masked(item, mask))
  return value === null || typeof value !== 'object' ? value : maskedState(value as JsonObject, mask)
}

export const auditToken: InjectionToken<AuditLog> = Symbol('audit')
