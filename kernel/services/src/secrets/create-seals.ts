import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import { secretUnreadableError } from '@agent-service/kernel-core/secrets'
import type { Seals } from '@agent-service/sdk/services/seals'

/** The seals of one plugin. It opens those of the ids that it had before too. */
export function createSeals(options: {
  readonly cipher: SecretCipher
  readonly pluginId: string
  readonly earlierIds?: readonly string[]
}): Seals {
  const { cipher, pluginId, earlierIds = [] } = options
  const bindingOf = (purpose: string, id = pluginId) => ({ record: `seals of ${id}`, field: purpose })
  return Object.freeze<Seals>({
    seal: (text, purpose) => cipher.seal(Buffer.from(text, 'utf8'), bindingOf(purpose)),
    async open(sealed, purpose) {
      for (const id of [pluginId, ...earlierIds]) {
        try {
          return Buffer.from(await cipher.open(sealed, bindingOf(purpose, id))).toString('utf8')
        } catch (error) {
          if (!secretUnreadableError.isInstance(error)) throw error
        }
      }
      return undefined
    },
  })
}
