import { createHash } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { type VaultConnection, vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'

/** What people fill in. */
export const members = Type.Object(
  {
    client_id: Type.String({
      title: 'client_id',
      description: 'Of the personal API key: in the web vault under Settings, Security, Keys. It begins with “user.”.',
      minLength: 1,
      maxLength: 200,
      'x-secret': true,
    }),
    client_secret: Type.String({
      title: 'client_secret',
      description: 'Of the same API key.',
      minLength: 1,
      maxLength: 200,
      'x-secret': true,
    }),
    master_password: Type.String({
      title: 'Master password',
      description: 'It decrypts the items here. It is never sent anywhere.',
      minLength: 1,
      maxLength: 1_000,
      'x-secret': true,
    }),
    server_url: Type.Optional(
      Type.String({
        title: 'Server',
        description: 'The address of your own server, such as https://vault.example.org. Left out: bitwarden.com.',
        minLength: 1,
        maxLength: 500,
      }),
    ),
  },
  { additionalProperties: false },
)

/** A connection, checked. */
export interface Account {
  readonly id: string
  readonly isSystem: boolean
  readonly clientId: string
  readonly clientSecret: string
  readonly masterPassword: string
  readonly servers: Servers
  /** Changes with any of the members, and tells nothing about them. */
  readonly fingerprint: string
}

/** Base addresses without a slash at the end. */
export interface Servers {
  readonly identity: string
  readonly api: string
}

/** @throws `vault_connection_invalid`. */
export function accountOf({ id, origin, members: given }: VaultConnection): Account {
  const [clientId, clientSecret, masterPassword] = ['client_id', 'client_secret', 'master_password'].map((member) =>
    textOf(given[member], member),
  )
  if (clientId === undefined || clientSecret === undefined || masterPassword === undefined) throw missing('client_id')
  if (!/^user\.[0-9a-f-]{36}$/i.test(clientId.trim()))
    throw vaultConnectionInvalidError.create({
      member: 'client_id',
      reason: clientId.startsWith('organization.')
        ? 'is that of an organisation; the personal API key of an account is needed'
        : 'is not that of a personal API key, which is “user.” and an id',
    })
  const isSystem = origin === 'system'
  const servers = serversOf(given['server_url'], isSystem)
  return {
    ...{ id, isSystem, clientId: clientId.trim(), clientSecret: clientSecret.trim(), masterPassword, servers },
    fingerprint: createHash('sha256')
      .update(JSON.stringify([clientId, clientSecret, masterPassword, servers, isSystem]))
      .digest('hex'),
  }
}

const missing = (member: string): Error => vaultConnectionInvalidError.create({ member, reason: 'is missing' })

function textOf(value: unknown, member: string): string {
  if (typeof value !== 'string' || value === '') throw missing(member)
  return value
}

/** Bitwarden's own two clouds have a host for each service; every other server has a path. */
function serversOf(value: unknown, isSystem: boolean): Servers {
  const text = typeof value === 'string' ? value.trim() : 'https://bitwarden.com'
  const refuse = (reason: string): never => {
    throw vaultConnectionInvalidError.create({ member: 'server_url', reason })
  }
  if (!URL.canParse(text)) return refuse('is not an address such as https://vault.example.org')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isSystem)) return refuse('has to begin with https://')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return refuse('has to be an address alone, without a user, a query or a fragment')
  const cloud = /^(?:vault\.|api\.|identity\.)?(bitwarden\.(?:com|eu))$/.exec(url.hostname)?.[1]
  if (cloud !== undefined) return { identity: `https://identity.${cloud}`, api: `https://api.${cloud}` }
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return { identity: `${base}/identity`, api: `${base}/api` }
}
