import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { AuditLog } from '../audit/audit-log.js'
import { noActor } from '../audit/audit-records.js'
import type { DataKeys } from './data-keys.js'
import { bindingOf, type SealedField } from './sealed-field.js'
import { parseSealed } from './sealed-text.js'
import type { SecretCipher } from './secret-cipher.js'

const dayMs = 24 * 60 * 60 * 1000

/** How long a retired key stays although nothing seems to be sealed under it: what was sealed just before its retirement may be written after it. */
const keptAfterRetirementMs = dayMs

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
  readonly clock: Clock
  readonly keys: DataKeys
  readonly cipher: SecretCipher
  /** All of them, asked for at each run. What is not among them is lost with its key. */
  fields(): Promise<readonly SealedField[]>
  readonly audit: AuditLog
  readonly log: Logger
  readonly rotationDays: number
}): DataKeyRotation {
  const { clock, keys, cipher, fields, audit, log, rotationDays } = dependencies

  /** False when the text could not be replaced. */
  const sealAgain = async ({ collection, field, replace }: SealedField, id: string, sealed: string): Promise<boolean> => {
    if (parseSealed(sealed)?.keyId === keys.active().id) return true
    const binding = bindingOf(collection, id, field)
    return replace(id, sealed, await cipher.seal(await cipher.open(sealed, binding), binding))
  }

  /** False when a record could not be sealed again: its key must stay. */
  const sealAllAgain = async (signal: AbortSignal): Promise<boolean> => {
    let isWhole = true
    for (const field of await fields()) {
      for await (const { id, sealed } of field.texts(signal)) {
        signal.throwIfAborted()
        try {
          if (!(await sealAgain(field, id, sealed))) isWhole = false
        } catch (error) {
          isWhole = false
          log.error('A stored secret could not be sealed under the new key.', { record: `${field.collection}/${id}`, error })
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
