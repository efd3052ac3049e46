import { createHash } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { type VaultConnection, vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'

/** The members of a connection. */
export const onePasswordConnection = Type.Object(
  {
    service_account_token: Type.String({
      title: 'Service account token',
      description: 'Begins with ops_. A service account sees the vaults that it was given when it was made.',
      minLength: 1,
      maxLength: 10_000,
      'x-secret': true,
    }),
    vault_id: Type.Optional(
      Type.String({
        title: 'Vault id',
        description: 'Only this vault is used, and new items are made in it. Empty: all vaults that the service account sees.',
        maxLength: 100,
      }),
    ),
  },
  { additionalProperties: false },
)

/** 1Password's own hosts: where accounts of its regions are, and nothing else. */
export const ownHosts = ['*.1password.com', '*.1password.ca', '*.1password.eu'] as const

/** A connection whose members were checked. */
export interface Account {
  readonly token: string
  /** Of the service account. */
  readonly email: string
  readonly vaultId?: string
  /** Changes with the token. */
  readonly digest: string
}

/**
 * Checks the members. The token holds the address that the SDK signs in to, so that address has to
 * be one of {@link ownHosts}. @throws `vault_connection_invalid`.
 */
export function accountOf({ members }: VaultConnection): Account {
  const { service_account_token: token, vault_id: vaultId = '' } = members
  const { address, email } = contentOf(String(token))
  const host = address.replace(/^https:\/\//, '')
  if (!/^([a-z0-9-]+\.)+1password\.(com|ca|eu)$/.test(host))
    throw invalid('service_account_token', 'leads to an address that is not one of 1Password')
  if (vaultId !== '' && !isId(String(vaultId))) throw invalid('vault_id', 'has to have 26 small letters and digits')
  return {
    ...{ token: String(token), email },
    ...(vaultId === '' ? {} : { vaultId: String(vaultId) }),
    digest: createHash('sha256').update(String(token)).digest('base64'),
  }
}

/** Whether a text is an id of 1Password's. */
export const isId = (text: string): boolean => /^[a-z0-9]{26}$/.test(text)

/** What a token says of itself. The rest of it are keys. */
function contentOf(token: string): { readonly address: string; readonly email: string } {
  const [, encoded] = /^ops_([A-Za-z0-9_-]+)$/.exec(token) ?? []
  const content = encoded === undefined ? undefined : parsedJson(Buffer.from(encoded, 'base64url').toString())
  const { signInAddress: address, email } = (content ?? {}) as { readonly signInAddress?: unknown; readonly email?: unknown }
  if (typeof address !== 'string' || typeof email !== 'string')
    throw invalid('service_account_token', 'is not a token of a service account. Copy it from 1Password as a whole')
  const shown = email.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 300)
  return { address, email: shown.trim() === '' ? 'A service account' : shown }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's error quotes the text, which holds keys; the caller reports what is wrong.
    return undefined
  }
}

const invalid = (member: string, reason: string): Error => vaultConnectionInvalidError.create({ member, reason })
