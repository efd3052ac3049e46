import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/** One event for the audit log. */
export interface AuditEvent {
  /** `credential.created`: a thing and what became of it, in snake_case, never renamed. Those of the service itself are refused. */
  readonly kind: string
  /** Who did it, and from where; of a request its `principal.userId` and `address`. Absent: the service itself. */
  readonly actor?: { readonly userId: string; readonly address: string }
  /** What else there is to know. No secret, and no more than 4 KiB of JSON. */
  readonly details?: JsonObject
}

/** The log of who did what that matters for security: for administrators, kept for a year. */
export interface Audit {
  /** Notes an event; resolves when it is stored. The plugin's id is noted with it. @throws `audit_event_invalid`. */
  note(event: AuditEvent): Promise<void>
}

/** The audit log, for writing alone. Provided by the kernel. */
export const auditService = defineServiceReference<Audit>()('kernel.audit')
