import type { JsonObject } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** Who caused an event, and from where. */
export interface AuditActor {
  /** Null if there is no known user: a failed sign-in, the command line. */
  readonly userId: string | null
  /** Null for the command line and for the service itself. */
  readonly address: string | null
  /** The command of `agent-service`, for example `users create`. Absent for other sources. */
  readonly command?: string
}

/** One security event. It must not contain a secret. */
export interface AuditEntry {
  readonly kind: string
  readonly actor: AuditActor
  readonly subjectId: string | null
  readonly details?: JsonObject
  /** The state before the event. Absent if there was none, or if nothing changed. */
  readonly before?: JsonObject | undefined
  /** The state after the event. Absent if there is none, or if nothing changed. */
  readonly after?: JsonObject | undefined
}

/** The audit log as the core writes to it. It is kept with the accounts. */
export interface AuditNotes {
  /** Stores an event that has no change in the database; it is durable when this resolves. */
  note(entry: AuditEntry): Promise<void>
}

/** The service itself, without a user. */
export const noActor: AuditActor = Object.freeze({ userId: null, address: null })

/** The actor of a request. */
export const actorOfRequest = ({ principal, address }: Pick<RouteRequest, 'principal' | 'address'>): AuditActor => ({
  userId: principal?.userId ?? null,
  address,
})
