import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** What is noted. A kind is never renamed: people search for it. */
export const auditKinds = [
  'account.created',
  'account.changed',
  'account.deleted',
  'email.changed',
  'username.changed',
  'password.changed',
  'password.change_refused',
  'sign_in.succeeded',
  'sign_in.failed',
  'identity.linked',
  'session.confirmed',
  'session.confirmation_refused',
  'session.ended',
  'session.refresh_reused',
  'token.created',
  'token.revoked',
  'presigned_url.revoked',
  'presigned_urls.revoked',
  'data_key.rotated',
  'signing_key.rotated',
  'encryption_secret.changed',
  'policy.created',
  'policy.changed',
  'policy.deleted',
] as const

/** What kinds look like, those that plugins note too. */
export const auditKindPattern = '^[a-z][a-z_]*\\.[a-z][a-z_]*$'

export type AuditKind = (typeof auditKinds)[number]

/** Who did it, and from where. */
export interface AuditActor {
  /** Null for nobody known: a sign-in that failed, the command line. */
  readonly userId: string | null
  /** Null for the command line and for the service itself. */
  readonly address: string | null
}

/** The service itself, and the command line: nobody who signed in. */
export const noActor: AuditActor = Object.freeze({ userId: null, address: null })

/** One security event as it is stored. Never changed, and kept when the accounts in it are gone. */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  /** One of {@link auditKinds}, or of a plugin's, whose id is in `details.plugin`. */
  readonly kind: string
  readonly actor_id: string | null
  /** Whose account it is about. */
  readonly subject_id: string | null
  readonly address: string | null
  /** What else there is to know. No secret. */
  readonly details: JsonObject
}

export const auditEvents = defineCollection<AuditRecord>()({
  name: 'kernel.audit_events',
  version: 1,
  indexes: {
    by_time: { fields: ['at'] },
    by_kind: { fields: ['kind', 'at'] },
    by_actor: { fields: ['actor_id', 'at'] },
    by_subject: { fields: ['subject_id', 'at'] },
  },
})

/** The collections of the audit log, for the kernel's `openFor`. */
export const auditCollections: readonly CollectionDefinition[] = [auditEvents]
