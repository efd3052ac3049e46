import { noActor } from '@agent-service/kernel-core/audit'
import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { CryptoKey, JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import { importJWK } from 'jose/key/import'
import type { AuditLog } from '../audit/index.js'
import { authSettings, type SigningKeyRecord, signingKeys } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

/** The one algorithm of access tokens. */
export const signingAlgorithm = 'EdDSA'

const dayMs = 24 * 60 * 60 * 1000
/** For clocks that differ, and for streams that are ending. */
const graceMs = 60_000

/** The key that signs. */
export interface SigningKey {
  readonly kid: string
  readonly key: CryptoKey
}

/** The keys of access tokens, held in memory. */
export interface SigningKeys {
  /** Returns the key that signs now. */
  active(): SigningKey
  /** The public key with this id; an unknown id reads the database again, at most once a second. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>
  /** The public keys that tokens may carry, as a JSON Web Key Set. */
  keySet(): { readonly keys: readonly JsonObject[] }
  /** Replaces the key if it is too old; removes keys whose tokens have all expired. */
  rotate(): Promise<void>
}

interface KnownKey {
  readonly jwk: JsonObject
  readonly key: CryptoKey
}

/** The dependencies of the keys. */
export interface SigningKeysDependencies {
  readonly database: Database
  readonly cipher: SecretCipher
  readonly clock: Clock
  readonly audit: AuditLog
  /** Age at which a key is replaced. */
  readonly rotationDays: number
  /** How long a token is valid: a replaced key verifies for as long. */
  readonly tokenLifetimeSeconds: number
}

/**
 * Reads the keys, and creates the first one in an empty database. Two processes that start at once
 * get the same key.
 * @throws `secret_unreadable` if the private key was sealed under another secret: a new key would
 * hide that.
 */
export async function openSigningKeys(dependencies: SigningKeysDependencies): Promise<SigningKeys> {
  const { database, cipher, clock, audit, rotationDays, tokenLifetimeSeconds } = dependencies
  let record = await activeRecord(dependencies)
  let active = await openKey(cipher, record)

  const known = new Map<string, KnownKey>()
  let loadedAt = Number.NEGATIVE_INFINITY
  const load = async (): Promise<void> => {
    loadedAt = clock.monotonic()
    for (const stored of await allRecords(database)) {
      if (!known.has(stored.id)) known.set(stored.id, { jwk: stored.public_jwk, key: await importKey(stored.public_jwk as JWK) })
    }
  }
  await load()

  const replace = async (): Promise<void> => {
    const made = await makeRecord(dependencies)
    await database.transaction(async (transaction) => {
      const before = await transaction.get(signingKeys, record.id)
      if (before) transaction.put(signingKeys, { ...before, state: 'retired', retired_at: timestamp(clock.now()) })
      transaction.insert(signingKeys, made)
      transaction.put(authSettings, { id: 'signing-key', value: made.id })
      audit.record(transaction, {
        ...{ kind: 'signing_key.rotated', actor: noActor, subjectId: null },
        details: { key_id: made.id },
      })
    })
    record = made
    active = await openKey(cipher, made)
    await load()
  }

  const removeOld = async (): Promise<void> => {
    for (const { id, retired_at: retiredAt } of await allRecords(database)) {
      if (retiredAt === null || clock.now() < Date.parse(retiredAt) + tokenLifetimeSeconds * 1000 + graceMs) continue
      await database.collection(signingKeys).delete(id)
      known.delete(id)
    }
  }

  return {
    active: () => active,
    async verificationKey(kid) {
      if (!known.has(kid) && clock.monotonic() - loadedAt >= 1_000) await load()
      return known.get(kid)?.key
    },
    keySet: () => ({ keys: [...known].map(([kid, { jwk }]) => ({ ...jwk, kid, use: 'sig', alg: signingAlgorithm })) }),
    async rotate() {
      if (clock.now() - Date.parse(record.created_at) >= rotationDays * dayMs) await replace()
      await removeOld()
    },
  }
}

const bindingOf = (kid: string) => ({ record: `${signingKeys.name}/${kid}`, field: 'private_sealed' })

async function openKey(cipher: SecretCipher, { id, private_sealed: sealed }: SigningKeyRecord): Promise<SigningKey> {
  const jwk = JSON.parse(new TextDecoder().decode(await cipher.open(sealed, bindingOf(id)))) as JWK
  return { kid: id, key: await importKey(jwk) }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (key instanceof Uint8Array) throw new TypeError(`A signing key must be of type OKP, but this one is of type ${String(jwk.kty)}.`)
  return key
}

/** Every stored key. There are few: one for each rotation in the lifetime of a token. */
export async function allRecords(database: Database): Promise<readonly SigningKeyRecord[]> {
  const stored = database.collection(signingKeys)
  const pages = await Promise.all(
    (['active', 'retired'] as const).map((state) => stored.query({ index: 'by_state', equals: [state], limit: 200 })),
  )
  return pages.flatMap(({ items }) => items)
}

async function activeRecord(dependencies: SigningKeysDependencies): Promise<SigningKeyRecord> {
  const { database } = dependencies
  const setting = await database.collection(authSettings).get('signing-key')
  const stored = setting && (await database.collection(signingKeys).get(setting.value))
  if (stored) return stored
  const made = await makeRecord(dependencies)
  return database.transaction(async (transaction) => {
    const current = await transaction.get(authSettings, 'signing-key')
    const other = current && (await transaction.get(signingKeys, current.value))
    if (other) return other
    transaction.insert(signingKeys, made)
    transaction.put(authSettings, { id: 'signing-key', value: made.id })
    return made
  })
}

async function makeRecord({ cipher, clock }: Pick<SigningKeysDependencies, 'cipher' | 'clock'>): Promise<SigningKeyRecord> {
  const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicJwk, 'sha256')
  const privateText = new TextEncoder().encode(JSON.stringify(await exportJWK(pair.privateKey)))
  return {
    id: kid,
    state: 'active',
    public_jwk: publicJwk as JsonObject,
    private_sealed: await cipher.seal(privateText, bindingOf(kid)),
    created_at: timestamp(clock.now()),
    retired_at: null,
  }
}
