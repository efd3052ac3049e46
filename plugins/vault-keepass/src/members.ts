import { Type } from '@agent-service/sdk'
import { type VaultConnection, vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'

/** What people fill in. */
export const members = Type.Object(
  {
    path: Type.String({
      title: 'File',
      description: 'The database, a KDBX file. For your own connection: a file among your files.',
      minLength: 1,
      maxLength: 1_000,
    }),
    password: Type.Optional(
      Type.String({
        title: 'Master password',
        description: 'Leave it out if the database is opened by a key file alone.',
        minLength: 1,
        maxLength: 1_000,
        'x-secret': true,
      }),
    ),
    key_file: Type.Optional(
      Type.String({
        title: 'Key file',
        description: 'The content of the key file, if the database has one: its text if it is XML or 64 digits, else in Base64.',
        minLength: 1,
        maxLength: 100_000,
        'x-secret': true,
      }),
    ),
  },
  { additionalProperties: false },
)

/** What opens a file. */
export interface Unlocking {
  readonly password?: string
  readonly keyFile?: Uint8Array
}

/** @throws `vault_connection_invalid`. */
export function unlockingOf({ members: { password, key_file: keyFile } }: VaultConnection): Unlocking {
  if (typeof password !== 'string' && typeof keyFile !== 'string')
    throw vaultConnectionInvalidError.create({ member: 'password', reason: 'is missing, and there is no key file either' })
  return {
    ...(typeof password === 'string' ? { password } : {}),
    ...(typeof keyFile === 'string' ? { keyFile: keyFileOf(keyFile.trim()) } : {}),
  }
}

function keyFileOf(text: string): Uint8Array {
  if (text.startsWith('<') || /^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'utf8')
  if (!/^[A-Za-z0-9+/\s]+={0,2}$/.test(text))
    throw vaultConnectionInvalidError.create({ member: 'key_file', reason: 'is neither XML nor 64 hexadecimal digits nor Base64' })
  return Buffer.from(text, 'base64')
}
