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
  'configuration.changed',
  'service.restart_requested',
  'backup.created',
  'backup.restored',
  'plugin.enabled',
  'plugin.disabled',
  'plugin.installed',
  'plugin.granted',
  'plugin.removed',
  'admin.operation',
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
  /** The command that was given: `users create`. Absent: it was no command. */
  readonly command?: string
}

/** The service itself: nobody who signed in. */
export const noActor: AuditActor = Object.freeze({ userId: null, address: null })

/** Whoever may write the data folder, by a command of `agent-service`. */
export const commandLine = (command: string): AuditActor => ({ userId: null, address: null, command })

/** Where an event comes from: a request over HTTP, a command of `agent-service`, or the service by itself. */
export const auditSources = ['request', 'command_line', 'service'] as const
export type AuditSource = (typeof auditSources)[number]

/**
 * One security event as it is stored. Kept when the accounts in it are gone; the erasure of an account alone
 * changes it, by taking names out. Entries of earlier releases lack the optional members.
 */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  /** One of {@link auditKinds}, or of a plugin's, whose id is in `details.plugin`. */
  readonly kind: string
  readonly source?: AuditSource
  readonly actor_id: string | null
  /** The session or the personal access token that the actor used, where a request is behind it. */
  readonly session_id?: string | null
  readonly token_id?: string | null
  /** The operation of the HTTP API, or the command. */
  readonly operation?: string | null
  readonly request_id?: string | null
  /** What it is about: whose account, or the id of what `kind` names. */
  readonly subject_id: string | null
  readonly address: string | null
  /** What was there before, and what is there since. No secret. Null: nothing was, is, or changed. */
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
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
