import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/audit-log.js'
import { noActor } from '../audit/audit-records.js'
import type { DataKeys } from './data-keys.js'
import { parseSealed } from './sealed-text.js'
import type { SecretCipher } from './secret-cipher.js'

const dayMs = 24 * 60 * 60 * 1000

/** How long a retired key stays although nothing seems to be sealed under it: what was sealed just before its retirement may be written after it. */
const keptAfterRetirementMs = dayMs

/** Where sealed texts stand: a text member of the records of a collection, bound to `<collection>/<id>` and the member's name. */
export interface SealedField {
  readonly collection: CollectionDefinition
  readonly field: string
  /** Ids of the records that have it. */
  ids(signal: AbortSignal): AsyncIterable<string>
}

/** Replaces data keys by age, and seals again what was sealed under those before. */
export interface DataKeyRotation {
  /**
   * Makes a new key when the present one is too old, then goes on with what is left to seal again, record by record: an interruption at any moment loses
   * nothing, and the next run goes on. A retired key is removed a day later, once nothing is sealed under it.
   */
  run(options: { readonly signal: AbortSignal }): Promise<void>
}

/** Makes it. */
export function createDataKeyRotation(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly keys: DataKeys
  readonly cipher: SecretCipher
  readonly fields: readonly SealedField[]
  readonly audit: AuditLog
  readonly log: Logger
  readonly rotationDays: number
}): DataKeyRotation {
  const { database, clock, keys, cipher, fields, audit, log, rotationDays } = dependencies

  /** Writes the new text only where the old one still stands. */
  const sealAgain = async ({ collection, field }: SealedField, id: string): Promise<void> => {
    const typed = collection as CollectionDefinition<StoredObject & Readonly<Record<string, unknown>>>
    const sealed = (await database.collection(typed).get(id))?.[field]
    if (typeof sealed !== 'string' || parseSealed(sealed)?.keyId === keys.active().id) return
    const binding = { record: `${collection.name}/${id}`, field }
    const again = await cipher.seal(await cipher.open(sealed, binding), binding)
    await database.transaction(async (transaction) => {
      const record = await transaction.get(typed, id)
      if (record?.[field] === sealed) transaction.put(typed, { ...record, [field]: again })
    })
  }

  /** False when a record could not be sealed again: its key must stay. */
  const sealAllAgain = async (signal: AbortSignal): Promise<boolean> => {
    let isWhole = true
    for (const field of fields) {
      for await (const id of field.ids(signal)) {
        signal.throwIfAborted()
        try {
          await sealAgain(field, id)
        } catch (error) {
          isWhole = false
          log.error('A stored secret could not be sealed under the new key.', { record: `${field.collection.name}/${id}`, error })
        }
      }
    }
    return isWhole
  }

  return {
    async run({ signal }) {
      if (clock.now() - keys.active().createdAt >= rotationDays * dayMs) {
        await keys.rotate()
        await audit.note({
          kind: 'data_key.rotated',
          actor: noActor,
          subjectId: null,
          details: { key_id: keys.active().id },
        })
      }
      const retired = await keys.retired()
      if (retired.length === 0 || !(await sealAllAgain(signal))) return
      for (const { id, retiredAt } of retired) if (clock.now() - retiredAt >= keptAfterRetirementMs) await keys.remove(id)
    },
  }
}
