import { createHash, createHmac, generateKeyPairSync, pbkdf2Sync, publicEncrypt, randomBytes, randomUUID } from 'node:crypto'
import { argon2id, hash } from 'argon2'
import { encrypt, type SymmetricKey } from '../crypto/encrypted-strings.js'

/** How the master key of a test's account is made. */
export interface TestKdf {
  readonly kdfType: number
  readonly iterations: number
  readonly memory: number | null
  readonly parallelism: number | null
}

export const cheapPbkdf2: TestKdf = { kdfType: 0, iterations: 5_000, memory: null, parallelism: null }
export const cheapArgon2: TestKdf = { kdfType: 1, iterations: 2, memory: 16, parallelism: 2 }

/** An account of the server of the tests, with an organisation that it belongs to. */
export interface TestAccount {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly clientSecret: string
  readonly kdf: TestKdf
  readonly userKey: SymmetricKey
  readonly encryptedKey: string
  readonly publicKey: string
  readonly encryptedPrivateKey: string
  readonly organization: { readonly id: string; readonly name: string; readonly key: SymmetricKey; readonly encryptedKey: string }
}

/** The stretched master key, by other functions than those under test. */
async function stretchedKey(password: string, email: string, kdf: TestKdf): Promise<Buffer> {
  const master =
    kdf.kdfType === 0
      ? pbkdf2Sync(password, email, kdf.iterations, 32, 'sha256')
      : await hash(password, {
          ...{ type: argon2id, salt: createHash('sha256').update(email).digest(), hashLength: 32, raw: true },
          ...{ timeCost: kdf.iterations, memoryCost: (kdf.memory ?? 0) * 1_024, parallelism: kdf.parallelism ?? 1 },
        })
  return Buffer.concat(['enc', 'mac'].map((information) => hkdfExpand(master, information)))
}

/** One block of HKDF-Expand (RFC 5869). */
const hkdfExpand = (key: Buffer, information: string): Buffer =>
  createHmac('sha256', key)
    .update(Buffer.from(`${information}\u0001`, 'latin1'))
    .digest()

export async function createTestAccount({
  email = 'ada@example.org',
  password = 'canary master π',
  kdf = cheapPbkdf2,
}: {
  readonly email?: string
  readonly password?: string
  readonly kdf?: TestKdf
} = {}): Promise<TestAccount> {
  const userKey = randomBytes(64)
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' })
  const key = randomBytes(64)
  return {
    ...{ id: randomUUID(), email, password, kdf, userKey, clientSecret: `canary${randomBytes(12).toString('hex')}` },
    encryptedKey: encrypt(userKey, await stretchedKey(password, email, kdf)),
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    encryptedPrivateKey: encrypt(privateKey, userKey),
    organization: {
      ...{ id: randomUUID(), name: 'Town hall', key },
      encryptedKey: `4.${publicEncrypt({ key: pair.publicKey, oaepHash: 'sha1' }, key).toString('base64')}`,
    },
  }
}
