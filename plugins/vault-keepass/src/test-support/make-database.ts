import { argon2d, argon2id } from 'hash-wasm'
import kdbxweb, { type Kdbx } from 'kdbxweb'

/** What to make. Cheap keys, so that tests are quick. */
export interface DatabaseOptions {
  readonly password?: string
  readonly kind?: 'argon2d' | 'argon2id' | 'aes' | 'version 3'
  readonly change?: (kdbx: Kdbx) => void | Promise<void>
  /** Changes the key derivation in the header after the key is known, so only the header asks for it. */
  readonly memoryBytes?: number
  readonly iterations?: number
  readonly rounds?: number
}

export const testPassword = 'open sesame'

/** The bytes of a database, as the library writes them. */
export async function makeDatabase(options: DatabaseOptions = {}): Promise<Uint8Array> {
  const { password = testPassword, kind = 'argon2id', change, rounds = 100, iterations = 1, memoryBytes = 64 * 1_024 } = options
  kdbxweb.CryptoEngine.setArgon2Impl(async (key, salt, memorySize, times, hashLength, parallelism, type) => {
    const cheap = { salt: new Uint8Array(salt), memorySize: Math.min(memorySize, 1_024), iterations: Math.min(times, 2) }
    const hash = type === 0 ? argon2d : argon2id
    const bytes = await hash({ password: new Uint8Array(key), ...cheap, hashLength, parallelism, outputType: 'binary' })
    return Uint8Array.from(bytes).buffer
  })
  const kdbx = kdbxweb.Kdbx.create(new kdbxweb.Credentials(kdbxweb.ProtectedValue.fromString(password)), 'Town')
  if (kind === 'version 3') {
    kdbx.header.setVersion(3)
    kdbx.header.keyEncryptionRounds = rounds
  } else if (kind === 'aes') {
    kdbx.header.setKdf(kdbxweb.Consts.KdfId.Aes)
    setNumber(kdbx, 'R', rounds)
  } else {
    kdbx.header.setKdf(kind === 'argon2d' ? kdbxweb.Consts.KdfId.Argon2d : kdbxweb.Consts.KdfId.Argon2id)
    setNumber(kdbx, 'M', memoryBytes)
    setNumber(kdbx, 'I', iterations)
  }
  await change?.(kdbx)
  return new Uint8Array(await kdbx.save())
}

const setNumber = ({ header }: Kdbx, name: string, value: number): void =>
  header.kdfParameters?.set(name, kdbxweb.VarDictionary.ValueType.UInt64, kdbxweb.Int64.from(value))

/** Adds an entry to the root group, its secrets protected, and gives its id in hexadecimal digits. */
export function addEntry(
  kdbx: Kdbx,
  title: string,
  fields: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> = {},
): string {
  const entry = kdbx.createEntry(kdbx.getDefaultGroup())
  entry.fields.set('Title', title)
  for (const [name, value] of Object.entries(fields)) entry.fields.set(name, value)
  for (const [name, value] of Object.entries(secrets)) entry.fields.set(name, kdbxweb.ProtectedValue.fromString(value))
  return Buffer.from(entry.uuid.id, 'base64').toString('hex')
}
