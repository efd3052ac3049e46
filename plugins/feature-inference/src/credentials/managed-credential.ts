import { type Static, Type } from '@agent-service/sdk'
import type { CredentialSummary } from '@agent-service/sdk/services/credentials'

/** What a credential for a brand is called by the service that keeps it. */
export const credentialPurpose = 'provider'
/** The one field of a key. */
export const keyField = 'api_key'

/** A managed credential as it is shown. What it holds is never shown again. */
export const credentialSchema = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('api_key'), Type.Literal('account')]),
  brand: Type.String(),
  label: Type.String(),
  hint: Type.String({ description: 'The last 4 characters of the key or of the id of the account; empty for a short one.' }),
  state: Type.Union([Type.Literal('ready'), Type.Literal('sign_in_needed')], {
    description: '`sign_in_needed`: the vendor no longer takes the tokens of the account; calls fail until somebody signs in again.',
  }),
  created_at: Type.String(),
  checked_at: Type.Union([Type.String(), Type.Null()], { description: 'When it was last tested.' }),
  check_ok: Type.Union([Type.Boolean(), Type.Null()], { description: 'Whether a model answered then.' }),
  expires_at: Type.Optional(Type.String({ description: 'When the present token of an account ends; it is replaced before.' })),
  connections: Type.Array(Type.String(), { description: 'Handles of the connections that use it.' }),
})

/** A managed credential without the connections that use it. */
export type ManagedCredential = Omit<Static<typeof credentialSchema>, 'connections'>

/** What is kept with a credential beside what the service knows of it. */
export type CredentialDetails = Pick<ManagedCredential, 'brand' | 'checked_at' | 'check_ok'>

/** A credential of the service as this package shows it. */
export function managedCredentialOf(summary: CredentialSummary): ManagedCredential {
  const { id, kind, label, hint, state, createdAt, expiresAt, details } = summary
  // This package alone writes them.
  const { brand, checked_at, check_ok } = details as CredentialDetails
  return {
    ...{ id, brand, label, hint },
    kind: kind === 'secret' ? 'api_key' : 'account',
    state: state === 'ready' ? 'ready' : 'sign_in_needed',
    created_at: new Date(createdAt).toISOString(),
    ...{ checked_at, check_ok },
    ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
  }
}
