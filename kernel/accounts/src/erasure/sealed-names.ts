import { type SecretCipher, secretUnreadableError } from '@agent-service/kernel-core/secrets'
import type { Logger } from '@agent-service/sdk'
import { type ErasedName, type UserErasureRecord, userErasures } from '../records/records.js'

/**
 * The names of a deleted account, as long as the audit log may still get entries with them. They are
 * stored sealed, so that no file of the service has a readable byte of them.
 */
export interface SealedNames {
  seal(erasureId: string, names: readonly ErasedName[]): Promise<string>
  /** The handle alone for an erasure of an earlier release, and for names under another secret. */
  open(erasure: UserErasureRecord): Promise<readonly ErasedName[]>
}

export function createSealedNames({ cipher, log }: { readonly cipher: SecretCipher; readonly log: Pick<Logger, 'warn'> }): SealedNames {
  const bindingOf = (id: string) => ({ record: `${userErasures.name}/${id}`, field: 'names_sealed' })
  return {
    seal: (id, names) => cipher.seal(new TextEncoder().encode(JSON.stringify(names)), bindingOf(id)),
    async open({ id, handle, names_sealed: sealed }) {
      const handleAlone: readonly ErasedName[] = [{ kind: 'username', text: handle, from: null, to: null }]
      if (sealed === null) return handleAlone
      try {
        return JSON.parse(new TextDecoder().decode(await cipher.open(sealed, bindingOf(id)))) as readonly ErasedName[]
      } catch (error) {
        if (!secretUnreadableError.isInstance(error)) throw error
        // Otherwise no account would be erased any more.
        log.warn('Names of a deleted account cannot be read under the present secret, and may stay in the audit log.', { user_id: id })
        return handleAlone
      }
    },
  }
}
