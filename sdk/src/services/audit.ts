import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { Transaction } from './database.js'

/** One event for the audit log. */
export interface AuditEvent {
  /**
   * `credential.created`: a thing and what became of it, in snake_case, never renamed. Those of the
   * service itself are refused.
   */
  readonly kind: string
  /**
   * Who did it, and from which address; of a request its `principal.userId` and `address`, the
   * second absent for what went on without one. Absent: the caller of the request that is being
   * answered, else the service itself.
   */
  readonly actor?: { readonly userId: string; readonly address?: string }
  /**
   * The id of what it is about: of the thing that `kind` names, or of the user whose it is. At most
   * 200 characters.
   */
  readonly subject?: string
  /**
   * The state before, without secrets: of a secret field at most whether it is set. Absent: it was
   * created, or nothing changed.
   */
  readonly before?: JsonObject
  /** The state after, as {@link before}. Absent: it was deleted, or nothing changed. */
  readonly after?: JsonObject
  /** Further details. No secret; together with `before` and `after` no more than 4 KiB of JSON. */
  readonly details?: JsonObject
}

/**
 * The log of security-relevant actions: for administrators, kept for a year.
 *
 * @example
 * await context.use(auditService).note({ kind: 'dice.rolled', actor: { userId }, details: { count: 2 } })
 */
export interface Audit {
  /**
   * Notes an event; resolves when it is stored. The plugin's id is noted with it. @throws
   * `audit_event_invalid`.
   */
  note(event: AuditEvent): Promise<void>
  /**
   * Notes an event with a change in the plugin's own database, atomically. Called within the work
   * of that transaction.
   * @throws `audit_event_invalid`.
   */
  record(transaction: Transaction, event: AuditEvent): void
}

/** The audit log, for writing alone. Provided by the kernel. */
export const auditService = defineServiceReference<Audit>()('kernel.audit')
