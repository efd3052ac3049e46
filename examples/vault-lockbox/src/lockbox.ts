import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { type Static, type TSchema, Type, validate } from '@agent-service/sdk'
import { vaultContentInvalidError, vaultUnauthorizedError } from '@agent-service/sdk/contracts/vault-connector'

/** What errors call the store. */
export const vault = 'The lockbox'

const maxBytes = 1_048_576

/** One secret of a lockbox. */
const itemSchema = Type.Object({
  /** Grows with each new item and is given once: the order of lists, and what a cursor names. */
  id: Type.Integer({ minimum: 1 }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  /** Grows with each change. */
  revision: Type.Integer({ minimum: 1 }),
  fields: Type.Array(Type.Object({ name: Type.String({ maxLength: 200 }), value: Type.String(), secret: Type.Boolean() })),
})

const contentSchema = Type.Object({
  /** The id that was given last. */
  lastId: Type.Integer({ minimum: 0 }),
  items: Type.Array(itemSchema),
})

/** What is in the file as it lies on the disk; texts in Base64. */
const sealedSchema = Type.Object({
  lockbox: Type.Literal(1),
  salt: Type.String(),
  /** Tells a wrong passphrase from a damaged file. */
  check: Type.String(),
  nonce: Type.String(),
  tag: Type.String(),
  data: Type.String(),
})

export type LockboxItem = Static<typeof itemSchema>
export type Lockbox = Static<typeof contentSchema>
type SealedLockbox = Static<typeof sealedSchema>

/** How a lockbox is opened and sealed. */
export interface LockboxOptions {
  readonly passphrase: string
  /** What one try of a passphrase costs, a power of two. It is not in the file, so that no file can ask for more. Default 32,768; less in tests. */
  readonly cost?: number | undefined
}

/** @throws `vault_unauthorized` for another passphrase, `vault_content_invalid` for what is no lockbox, or a damaged one. */
export async function openLockbox(bytes: Uint8Array, options: LockboxOptions): Promise<Lockbox> {
  if (bytes.length > maxBytes) throw invalid(`the file is larger than ${maxBytes} bytes`)
  const sealed = parse(sealedSchema, bytes, 'the file is no lockbox') as SealedLockbox
  const { key, check } = await keysOf(Buffer.from(sealed.salt, 'base64'), options)
  const expected = Buffer.from(sealed.check, 'base64')
  if (expected.length !== check.length) throw invalid('the file is damaged')
  if (!timingSafeEqual(expected, check)) throw vaultUnauthorizedError.create({ vault, reason: 'wrong' })
  return parse(contentSchema, decrypt(sealed, key), 'its content has another form') as Lockbox
}

/** The whole file, with a new salt. What it seals can be opened again: @throws `vault_content_invalid` for what is too large or too long. */
export async function sealLockbox(lockbox: Lockbox, options: LockboxOptions): Promise<Uint8Array> {
  const [problem] = validate(contentSchema, lockbox)
  if (problem) throw invalid(`${problem.path} ${problem.message}`)
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const { key, check } = await keysOf(salt, options)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const data = Buffer.concat([cipher.update(JSON.stringify(lockbox)), cipher.final()])
  const parts = { salt, check, nonce, tag: cipher.getAuthTag(), data }
  const texts = Object.entries(parts).map(([name, part]) => [name, part.toString('base64')] as const)
  const bytes = Buffer.from(JSON.stringify({ lockbox: 1, ...Object.fromEntries(texts) }))
  if (bytes.length > maxBytes) throw invalid(`the file would be larger than ${maxBytes} bytes`)
  return bytes
}

interface Keys {
  readonly key: Buffer
  readonly check: Buffer
}

/** Two independent halves: one encrypts, the other is kept in the file. */
function keysOf(salt: Uint8Array, { passphrase, cost = 32_768 }: LockboxOptions): Promise<Keys> {
  const sizes = { N: cost, r: 8, p: 1, maxmem: 2 * 128 * 8 * cost }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 64, sizes, (error, derived) => {
      if (error) reject(error)
      else resolve({ key: derived.subarray(0, 32), check: derived.subarray(32) })
    }),
  )
}

function decrypt({ nonce, tag, data }: SealedLockbox, key: Buffer): Uint8Array {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()])
  } catch {
    throw invalid('the file is damaged')
  }
}

/** The JSON that fits the schema. */
function parse(schema: TSchema, bytes: Uint8Array, reason: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // Without its cause: the parser quotes the text, which may have secrets.
    throw invalid(reason)
  }
  if (validate(schema, value).length > 0) throw invalid(reason)
  return value
}

const invalid = (reason: string): Error => vaultContentInvalidError.create({ vault, reason })
