import type { JsonObject } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { StoredCredential } from './stored-credential.js'

const maxFieldNames = 10
const maxDetailsBytes = 1_024

/** A change of a credential. `by` is the user, if it is not the caller of the current request. */
export interface CredentialChange {
  readonly kind: 'credential.created' | 'credential.changed' | 'credential.replaced' | 'credential.deleted' | 'credential.signed_in'
  readonly before?: StoredCredential | undefined
  readonly after?: StoredCredential | undefined
  readonly by?: string | undefined
}

/**
 * Records a change of one of the deployment's credentials in the audit log, in the transaction of
 * the change. Credentials of users are not audited.
 */
export function auditCredential(
  audit: Pick<Audit, 'record'>,
  transaction: Transaction,
  { kind, before, after, by }: CredentialChange,
): void {
  const record = after ?? before
  if (!record || record.user_id !== null) return
  audit.record(transaction, {
    ...{ kind, subject: record.id.slice(record.plugin_id.length + 1), details: { owner: record.plugin_id } },
    ...(before && { before: stateOf(before) }),
    ...(after && { after: { ...stateOf(after), ...(before && before.content !== after.content && { content: 'changed' }) } }),
    ...(by !== undefined && { actor: { userId: by } }),
  })
}

/** Its metadata, without any secret. */
function stateOf({ purpose, label, kind, fields, state, details }: StoredCredential): JsonObject {
  const isShort = Buffer.byteLength(JSON.stringify(details)) <= maxDetailsBytes
  return { purpose, label, kind, fields: fields.slice(0, maxFieldNames), state, content: 'set', ...(isShort && { details }) }
}
