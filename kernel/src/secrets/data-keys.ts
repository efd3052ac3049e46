import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type CollectionDefinition, type Database, defineCollection } from '@agent-service/sdk/services/database'
import { v7 as createId } from 'uuid'
import { decrypt, encrypt, keyLength, nonceLength } from './authenticated-encryption.js'
import { formatSealed, parseSealed } from './sealed-text.js'
import { dataKeysMissingError, encryptionSecretWrongError } from './secret-errors.js'

/** A key that encrypts stored secrets, wrapped by the key that the encryption secret gives; or the value that tells whether that key is the right one. */
export interface DataKeyRecord {
  readonly id: string
  readonly kind: 'data_key' | 'key_check'
  readonly state: 'active'
  readonly wrapped: string
  readonly created_at: string
}

export const dataKeys = defineCollection<DataKeyRecord>()({
  name: 'kernel.data_keys',
  version: 1,
  indexes: { by_kind: { fields: ['kind', 'created_at'] } },
})

/** The collections of the secrets module, for `database.openFor('kernel', …)`. */
export const secretsCollections: readonly CollectionDefinition[] = Object.freeze([dataKeys])

const checkId = 'key-check'
const checkText = 'agent-service key check'

/** The unwrapped data keys. */
export interface DataKeys {
  /** The key that new secrets are sealed under. */
  readonly active: { readonly id: string; readonly key: Uint8Array }
  /** A key by its id; one that another node made since is looked up in the database. */
  find(id: string): Promise<Uint8Array | undefined>
}

/**
 * Opens the data keys and makes the first one in a new database.
 * @throws `encryption_secret_wrong` when the database belongs to another secret, `data_keys_missing` when its keys were lost; nothing is
 * written then.
 */
export async function openDataKeys(options: {
  readonly database: Database
  readonly clock: Clock
  readonly encryptionSecret: string
}): Promise<DataKeys> {
  const { database, clock } = options
  const wrappingKey = createHash('sha256').update(options.encryptionSecret, 'utf8').digest()
  const keys = new Map<string, Uint8Array>()

  const wrap = (id: string, plaintext: Uint8Array): string => {
    const nonce = randomBytes(nonceLength)
    return formatSealed({ keyId: id, nonce, sealed: encrypt(wrappingKey, nonce, plaintext, wrappingContext(id)) })
  }
  const unwrap = (record: DataKeyRecord): Uint8Array => {
    const parts = parseSealed(record.wrapped)
    const plaintext = parts && decrypt(wrappingKey, parts.nonce, parts.sealed, wrappingContext(record.id))
    if (!plaintext) throw encryptionSecretWrongError.create({})
    return plaintext
  }
  const read = async (): Promise<readonly string[]> => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await database
        .collection(dataKeys)
        .query({ index: 'by_kind', equals: ['data_key'], limit: 200, ...(cursor ? { cursor } : {}) })
      for (const record of page.items) {
        const key = unwrap(record)
        if (key.length !== keyLength) throw encryptionSecretWrongError.create({})
        keys.set(record.id, key)
        ids.push(record.id)
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return ids
  }
  const record = (id: string, kind: DataKeyRecord['kind'], plaintext: Uint8Array): DataKeyRecord => ({
    id,
    kind,
    state: 'active',
    wrapped: wrap(id, plaintext),
    created_at: new Date(clock.now()).toISOString(),
  })

  const known = await read()
  const newest = await database.transaction(async (transaction) => {
    const check = await transaction.get(dataKeys, checkId)
    if (check) {
      unwrap(check)
      return known.at(-1)
    }
    transaction.insert(dataKeys, record(checkId, 'key_check', Buffer.from(checkText, 'utf8')))
    if (known.length > 0) return known.at(-1)
    const id = createId()
    transaction.insert(dataKeys, record(id, 'data_key', randomBytes(keyLength)))
    return id
  })
  // Another node may have made the first key between the two reads; either way the database is what counts.
  const ids = newest !== undefined && keys.has(newest) ? known : await read()
  const activeId = ids.at(-1)
  const activeKey = activeId === undefined ? undefined : keys.get(activeId)
  // A check value without any key: the keys were lost, and a new one would hide that.
  if (activeId === undefined || !activeKey) throw dataKeysMissingError.create({})

  return Object.freeze<DataKeys>({
    active: { id: activeId, key: activeKey },
    find: async (id) => {
      if (!keys.has(id)) await read()
      return keys.get(id)
    },
  })
}

const wrappingContext = (id: string): Uint8Array => Buffer.from(JSON.stringify(['agent-service data key', 1, id]), 'utf8')
