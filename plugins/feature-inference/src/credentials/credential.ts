import { type Static, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

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

/** A managed credential as it is stored. */
export type StoredCredential = Omit<Static<typeof credentialSchema>, 'connections' | 'expires_at'> & {
  readonly expires_at: string | null
  /** Grows with every new payload; says whether two readings are of the same one. */
  readonly generation: number
  /** Sealed JSON of a {@link CredentialPayload}. */
  readonly payload: string
}

/** What signs calls. */
export type CredentialPayload = { readonly kind: 'api_key'; readonly api_key: string } | AccountPayload

/** The tokens of an account. */
export interface AccountPayload {
  readonly kind: 'account'
  readonly access_token: string
  /** Absent where the vendor gave none: the access token is all there is. */
  readonly refresh_token?: string
  /** Of the access token, in milliseconds since 1970; absent where nothing says so. */
  readonly expires_at?: number
  readonly account_id?: string
}

export const credentialCollection = defineCollection<StoredCredential>()({
  name: 'inference.credentials',
  version: 1,
  indexes: { by_time: { fields: ['created_at'] } },
  sealed: ['payload'],
})

/** The last characters of what must not be shown; none where they would say too much of it. */
export const hintOf = (secret: string): string => (secret.length < 12 ? '' : secret.slice(-4))
