import { namedObject, type Static, Type } from '@agent-service/sdk'
import type { CredentialSummary } from '@agent-service/sdk/services/credentials'

/** The purpose of brand credentials in the service `credentials`. */
export const credentialPurpose = 'provider'
/** The only secret field of an API key. */
export const keyField = 'api_key'

/** A managed credential in responses. Its secret is never returned. */
export const credentialSchema = namedObject('Credential', {
  id: Type.String(),
  kind: Type.Union([Type.Literal('api_key'), Type.Literal('account')]),
  brand: Type.String(),
  label: Type.String(),
  hint: Type.String({ description: 'The last 4 characters of the key or of the id of the account; empty for a short one.' }),
  state: Type.Union([Type.Literal('ready'), Type.Literal('sign_in_needed')], {
    description:
      '`sign_in_needed`: the vendor no longer accepts the tokens of the account; calls fail until an administrator signs in again.',
  }),
  created_at: Type.String(),
  checked_at: Type.Union([Type.String(), Type.Null()], { description: 'When it was last tested.' }),
  check_ok: Type.Union([Type.Boolean(), Type.Null()], { description: 'Whether a model answered then.' }),
  expires_at: Type.Optional(Type.String({ description: 'When the current token of an account expires; it is renewed before.' })),
  connections: Type.Array(Type.String(), { description: 'Handles of the connections that use it.' }),
})

/** A managed credential without the connections that use it. */
export type ManagedCredential = Omit<Static<typeof credentialSchema>, 'connections'>

/** The details that this package stores with a credential. */
export type CredentialDetails = Pick<ManagedCredential, 'brand' | 'checked_at' | 'check_ok'>

/** Converts a credential of the service. */
export function managedCredentialOf(summary: CredentialSummary): ManagedCredential {
  const { id, kind, label, hint, state, createdAt, expiresAt, details } = summary
  // Only this package writes them.
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
