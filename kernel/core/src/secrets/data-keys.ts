import { randomBytes } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import { v7 as createId } from 'uuid'
import { runOutside } from '../work/work-context.js'
import { keyLength } from './authenticated-encryption.js'
import { dataKeysMissingError, encryptionSecretWrongError } from './secret-errors.js'
import { checkId, checkText, type DataKeyRecord, dataKeys, storedDataKeys } from './secret-records.js'
import { createWrapping } from './wrapping.js'

/** How many secrets a key may seal: the limit of NIST SP 800-38D for random nonces of 96 bits. */
export const maxUses = 2 ** 32
/** Uses are counted in advance in blocks of this size, so that counting is cheap. */
const usesBlock = 2 ** 16

export type DataKeys = Awaited<ReturnType<typeof openDataKeys>>

export const dataKeysToken: InjectionToken<DataKeys> = Symbol('data-keys')

/**
 * Opens the data keys and makes the first one in a new database.
 * @throws `encryption_secret_wrong` if the database belongs to another secret, `data_keys_missing`
 * if
 * its keys were lost; in both cases nothing is written
 */
export async function openDataKeys(options: { readonly database: Database; readonly clock: Clock; readonly encryptionSecret: string }) {
  const { database, clock } = options
  const { wrap, unwrap } = createWrapping(options.encryptionSecret)
  const keys = new Map<string, Uint8Array>()
  const now = (): string => new Date(clock.now()).toISOString()

  const read = async (): Promise<readonly DataKeyRecord[]> => {
    const records: DataKeyRecord[] = []
    for await (const record of storedDataKeys(database)) {
      const key = unwrap(record.id, record.wrapped)
      if (key.length !== keyLength) throw encryptionSecretWrongError.create({})
      keys.set(record.id, key)
      records.push(record)
    }
    return records
  }
  const newest = (records: readonly DataKeyRecord[]): DataKeyRecord | undefined => records.findLast(({ state }) => state === 'active')
  const record = (id: string, kind: DataKeyRecord['kind'], plaintext: Uint8Array): DataKeyRecord => ({
    id,
    kind,
    state: 'active',
    wrapped: wrap(id, plaintext),
    created_at: now(),
    retired_at: null,
    uses: 0,
  })

  const known = await read()
  const first = await database.transaction(async (transaction) => {
    const check = await transaction.get(dataKeys, checkId)
    if (check) {
      unwrap(check.id, check.wrapped)
      return newest(known)
    }
    transaction.insert(dataKeys, record(checkId, 'key_check', Buffer.from(checkText, 'utf8')))
    if (known.length > 0) return newest(known)
    const made = record(createId(), 'data_key', randomBytes(keyLength))
    transaction.insert(dataKeys, made)
    return made
  })
  // Another node may have made the first key between the two reads, so the database is read again.
  const start = first !== undefined && keys.has(first.id) ? first : newest(await read())
  // A check value without a key means that the keys were lost; a new key would hide that.
  if (!start) throw dataKeysMissingError.create({})
  let current: DataKeyRecord = start
  let left = 0

  /** Counts a block of uses in advance. False if the key has reached its limit. */
  const reserve = (): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const stored = await transaction.get(dataKeys, current.id)
      if (stored?.state !== 'active' || stored.uses + usesBlock > maxUses) return false
      transaction.put(dataKeys, { ...stored, uses: stored.uses + usesBlock })
      left = usesBlock
      return true
    })

  /** Makes room for another use of the current key, or of a new one. */
  const replenish = async (): Promise<void> => {
    if (await reserve()) return
    await rotate()
    await reserve()
  }

  const rotate = async (): Promise<void> => {
    const made = record(createId(), 'data_key', randomBytes(keyLength))
    const before = await read()
    await database.transaction(async (transaction) => {
      const check = await transaction.get(dataKeys, checkId)
      // If the secret was changed meanwhile, a key wrapped under the old one could never be
      // unwrapped.
      if (check) {
        unwrap(check.id, check.wrapped)
        transaction.put(dataKeys, check)
      }
      for (const { id } of before) {
        const stored = await transaction.get(dataKeys, id)
        if (stored?.state === 'active') transaction.put(dataKeys, { ...stored, state: 'retired', retired_at: now() })
      }
      transaction.insert(dataKeys, made)
    })
    keys.set(made.id, unwrap(made.id, made.wrapped))
    current = made
    left = 0
  }

  return Object.freeze({
    /**
     * The key to seal one secret under. A key that reached its limit of uses is replaced first. Uses are
     * counted outside of a transaction of the caller, which may be undone after it has sealed.
     */
    async take(): Promise<{ readonly id: string; readonly key: Uint8Array }> {
      if (left <= 0) await runOutside(replenish)
      left -= 1
      const key = keys.get(current.id)
      if (!key) throw dataKeysMissingError.create({})
      return { id: current.id, key }
    },
    /** The key that new secrets are sealed under. */
    active: () => ({ id: current.id, createdAt: Date.parse(current.created_at) }),
    /** A key by its id; a key that another node has made is looked up in the database. */
    find: async (id: string): Promise<Uint8Array | undefined> => {
      if (!keys.has(id)) await read()
      return keys.get(id)
    },
    /** Makes a new key and retires the others in one transaction. */
    rotate,
    /** The keys that only open, with the time of their retirement. */
    retired: async () =>
      (await read()).flatMap(({ id, retired_at: retiredAt }) => (retiredAt === null ? [] : [{ id, retiredAt: Date.parse(retiredAt) }])),
    /** Removes a retired key permanently. Everything still sealed under it is lost. */
    remove: async (id: string): Promise<void> => {
      await database.transaction(async (transaction) => {
        const stored = await transaction.get(dataKeys, id)
        if (stored?.state === 'retired') transaction.delete(dataKeys, id)
      })
      keys.delete(id)
    },
  })
}
