import { Type } from '@agent-service/sdk'
import { type VaultConnection, vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'

/** The members of a connection. */
export const kv2Connection = Type.Object(
  {
    address: Type.String({
      title: 'Address',
      description: 'Where the server is, as https://vault.example.org:8200.',
      format: 'http-url',
      maxLength: 2_000,
    }),
    token: Type.String({
      title: 'Token',
      description: 'A token with a policy that may list and read the secrets, and write them if agents are to change any.',
      minLength: 1,
      maxLength: 4_000,
      'x-secret': true,
    }),
    mount: Type.Optional(
      Type.String({
        title: 'Mount',
        description: 'The path of the secrets engine, of the type KV version 2.',
        default: 'secret',
        minLength: 1,
        maxLength: 500,
      }),
    ),
    namespace: Type.Optional(
      Type.String({
        title: 'Namespace',
        description: 'Of Vault Enterprise or OpenBao. Leave it empty if there is none.',
        maxLength: 500,
      }),
    ),
  },
  { additionalProperties: false },
)

/** A connection whose members were checked. */
export interface Server {
  /** Without a slash at its end. */
  readonly address: string
  /** The segments of the mount, encoded for a URL. */
  readonly mount: string
  /** The mount as it was given, without slashes around it. */
  readonly mountName: string
  /** What every request is sent with. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether `http` and addresses that are not public are permitted. */
  readonly isTrusted: boolean
}

/** Checks the members. @throws `vault_connection_invalid`. */
export function serverOf({ members, origin }: VaultConnection): Server {
  const { address, token, mount = 'secret', namespace = '' } = members
  const mountName = String(mount).replace(/^\/+|\/+$/g, '')
  const encoded = encodePath(mountName)
  if (encoded === undefined) throw invalid('mount', 'is not the path of a secrets engine, such as secret or team/kv')
  return {
    address: checkedAddress(String(address), origin === 'system'),
    mount: encoded,
    mountName,
    headers: {
      'X-Vault-Token': headerValue('token', String(token)),
      'X-Vault-Request': 'true',
      ...(namespace === '' ? {} : { 'X-Vault-Namespace': headerValue('namespace', String(namespace)) }),
    },
    isTrusted: origin === 'system',
  }
}

/**
 * A path for a URL, each segment encoded. Undefined for a path that could mean another one: with
 * empty segments, `.` or `..`, control characters, or text that is not Unicode.
 */
export function encodePath(path: string): string | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return undefined
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined
  return segments.map(encodeURIComponent).join('/')
}

function checkedAddress(address: string, isTrusted: boolean): string {
  if (!URL.canParse(address)) throw invalid('address', 'must be an address such as https://vault.example.org:8200')
  const url = new URL(address)
  if (url.protocol !== 'https:' && !(isTrusted && url.protocol === 'http:')) throw invalid('address', 'must begin with https://')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalid('address', 'must have no user name, password, query or fragment')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function headerValue(member: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw invalid(member, 'must be one word of letters, digits and signs of ASCII')
  return value
}

const invalid = (member: string, reason: string): Error => vaultConnectionInvalidError.create({ member, reason })
