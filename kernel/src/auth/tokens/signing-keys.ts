import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { SecretCipher } from '../../secrets/secret-cipher.js'
import { authSettings, type SigningKeyRecord, signingKeys } from '../records.js'
import { timestamp } from '../timestamps.js'

/** The one algorithm of access tokens. */
export const signingAlgorithm = 'EdDSA'

/** The keys of access tokens, held in memory. */
export interface SigningKeys {
  /** What signs now. */
  readonly active: { readonly kid: string; readonly key: CryptoKey }
  /** The public key of this name; reads the store again, at most once a second, when the name is not known yet. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>
  /** The public keys that tokens may carry, as a JSON Web Key Set. */
  keySet(): { readonly keys: readonly JsonObject[] }
}

/**
 * Reads the keys, and makes the first one in an empty store. Two that start at once end up with the same key.
 * @throws `secret_unreadable` when the private key was sealed under another secret: a new key in its place would hide that.
 */
export async function openSigningKeys(dependencies: {
  readonly database: Database
  readonly cipher: SecretCipher
  readonly clock: Clock
}): Promise<SigningKeys> {
  const { database, cipher, clock } = dependencies
  const records = await activeRecord(dependencies)
  const privateJwk = JSON.parse(new TextDecoder().decode(await cipher.open(records.private_sealed, bindingOf(records.id)))) as JWK
  const active = { kid: records.id, key: await importKey(privateJwk) }

  const known = new Map<string, { readonly jwk: JsonObject; readonly key: CryptoKey }>()
  let loadedAt = Number.NEGATIVE_INFINITY
  const load = async (): Promise<void> => {
    loadedAt = clock.monotonic()
    for (const state of ['active', 'retired'] as const) {
      const page = await database.collection(signingKeys).query({ index: 'by_state', equals: [state], limit: 200 })
      for (const record of page.items) {
        if (known.has(record.id)) continue
        known.set(record.id, { jwk: record.public_jwk, key: await importKey(record.public_jwk as JWK) })
      }
    }
  }
  await load()

  return {
    active,
    async verificationKey(kid) {
      if (!known.has(kid) && clock.monotonic() - loadedAt >= 1_000) await load()
      return known.get(kid)?.key
    },
    keySet: () => ({ keys: [...known].map(([kid, { jwk }]) => ({ ...jwk, kid, use: 'sig', alg: signingAlgorithm })) }),
  }
}

const bindingOf = (kid: string) => ({ record: `${signingKeys.name}/${kid}`, field: 'private_sealed' })

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (key instanceof Uint8Array) throw new TypeError(`A signing key must be of type OKP, this one is of type ${String(jwk.kty)}.`)
  return key
}

async function activeRecord(dependencies: {
  readonly database: Database
  readonly cipher: SecretCipher
  readonly clock: Clock
}): Promise<SigningKeyRecord> {
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

async function makeRecord({ cipher, clock }: { readonly cipher: SecretCipher; readonly clock: Clock }): Promise<SigningKeyRecord> {
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
  }
}
