import type { AuditActor } from '@agent-service/kernel-core/audit'
import type { JsonObject } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** The kinds of events. A kind is never renamed, since people search for it. */
export const auditKinds = [
  'account.created',
  'account.changed',
  'account.deleted',
  'account.exported',
  'account.handed_over',
  'account.requested',
  'account.refused',
  'invitation.created',
  'invitation.revoked',
  'email.changed',
  'email.confirmation_sent',
  'email.confirmed',
  'email.confirmation_refused',
  'username.changed',
  'password.changed',
  'password.change_refused',
  'sign_in.succeeded',
  'sign_in.failed',
  'identity.linked',
  'identity.unlinked',
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
  'service.restarted',
  'backup.created',
  'backup.restored',
  'plugin.enabled',
  'plugin.disabled',
  'plugin.installed',
  'plugin.granted',
  'plugin.removed',
  'plugin_data.kept',
  'plugin_data.deletion_begun',
  'plugin_data.deleted',
  'plugin_data.handed_over',
  'admin.operation',
] as const

/** The form of kinds, also of those of plugins. */
export const auditKindPattern = '^[a-z][a-z_]*\\.[a-z][a-z_]*$'

export type AuditKind = (typeof auditKinds)[number]

/** A command of `agent-service`, run by a person who may write the data folder. */
export const commandLine = (command: string): AuditActor => ({ userId: null, address: null, command })

/** The source of an event: an HTTP request, a command of `agent-service`, or the service itself. */
export const auditSources = ['request', 'command_line', 'service'] as const
export type AuditSource = (typeof auditSources)[number]

/**
 * One stored security event. It outlives the accounts in it; only the erasure of an account changes
 * it, by replacing names with its id. Entries of earlier releases lack the optional members.
 */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  /** One of {@link auditKinds}, or a kind of the plugin in `details.plugin`. */
  readonly kind: string
  readonly source?: AuditSource
  readonly actor_id: string | null
  /** The session or the personal access token of the actor, if the event comes from a request. */
  readonly session_id?: string | null
  readonly token_id?: string | null
  /** The operation of the HTTP API, or the command. */
  readonly operation?: string | null
  readonly request_id?: string | null
  /** The account that the event is about, or the id of the object that `kind` names. */
  readonly subject_id: string | null
  readonly address: string | null
  /**
   * The states before and after the event, without secrets. Null if there is none, or if nothing
   * changed.
   */
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  /** Further data, without secrets. */
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
