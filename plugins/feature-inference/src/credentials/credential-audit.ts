import type { JsonObject } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { ManagedCredential } from './managed-credential.js'

/**
 * Records tests of a credential in the audit log. The service `credentials` records its changes.
 */
export type CredentialAudit = (
  kind: 'credential.tested',
  credential: ManagedCredential,
  actor: { readonly userId: string; readonly address: string },
  details?: JsonObject,
) => Promise<void>

export const createCredentialAudit =
  (audit: Audit): CredentialAudit =>
  (kind, { id, brand, label, kind: credentialKind }, actor, details = {}) =>
    audit.note({ kind, actor, subject: id, details: { credential_id: id, credential_kind: credentialKind, brand, label, ...details } })
