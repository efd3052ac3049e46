import type { JsonObject } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { ManagedCredential } from './managed-credential.js'

/** Notes what an administrator does with a credential, beside what the service that keeps it notes of its changes. */
export type CredentialAudit = (
  kind: 'credential.tested',
  credential: ManagedCredential,
  actor: { readonly userId: string; readonly address: string },
  details?: JsonObject,
) => Promise<void>

/** Makes it. */
export const createCredentialAudit =
  (audit: Audit): CredentialAudit =>
  (kind, { id, brand, label, kind: credentialKind }, actor, details = {}) =>
    audit.note({ kind, actor, subject: id, details: { credential_id: id, credential_kind: credentialKind, brand, label, ...details } })
