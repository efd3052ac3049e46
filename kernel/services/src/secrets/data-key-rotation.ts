import { type AuditNotes, noActor } from '@agent-service/kernel-core/audit'
import type { DataKeys, SecretCipher } from '@agent-service/kernel-core/secrets'
import { bindingOf, parseSealed, type SealedField } from '@agent-service/kernel-core/secrets'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'

const dayMs = 24 * 60 * 60 * 1000

/**
 * How long a retired key is kept even if nothing is sealed under it: a secret sealed just before
 * the retirement may be written after it.
 */
const keptAfterRetirementMs = dayMs

/** Replaces old data keys, and reseals the secrets that are sealed under them. */
export function createDataKeyRotation(dependencies: {
  readonly clock: Clock
  readonly keys: DataKeys
  readonly cipher: SecretCipher
  /**
   * All sealed fields, called at each run. Secrets in other fields would be lost with their key.
   */
  fields(): Promise<readonly SealedField[]>
  readonly audit: AuditNotes
  readonly log: Logger
  readonly rotationDays: number
}) {
  const { clock, keys, cipher, fields, audit, log, rotationDays } = dependencies

  /** False if the text could not be replaced. */
  const reseal = async ({ collection, field, replace }: SealedField, id: string, sealed: string): Promise<boolean> => {
    if (parseSealed(sealed)?.keyId === keys.active().id) return true
    const binding = bindingOf(collection, id, field)
    return replace(id, sealed, await cipher.seal(await cipher.open(sealed, binding), binding))
  }

  /** False if a record could not be resealed: its key must be kept. */
  const resealAll = async (signal: AbortSignal): Promise<boolean> => {
    let isWhole = true
    for (const field of await fields()) {
      for await (const { id, sealed } of field.texts(signal)) {
        signal.throwIfAborted()
        try {
          if (!(await reseal(field, id, sealed))) isWhole = false
        } catch (error) {
          isWhole = false
          log.error('A stored secret could not be resealed under the new key.', { record: `${field.collection}/${id}`, error })
        }
      }
    }
    return isWhole
  }

  return {
    /**
     * Makes a new key if the active one is too old, then reseals the remaining secrets, record by
     * record: an interruption at any moment loses nothing, and the next run continues. A retired key
     * is removed after a day, once nothing is sealed under it.
     */
    async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
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
      if (retired.length === 0 || !(await resealAll(signal))) return
      for (const { id, retiredAt } of retired) if (clock.now() - retiredAt >= keptAfterRetirementMs) await keys.remove(id)
    },
  }
}
