import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import { secretUnreadableError } from '@agent-service/kernel-core/secrets'
import type { Seals } from '@agent-service/sdk/services/seals'

export function createSeals(options: { readonly cipher: SecretCipher; readonly pluginId: string }): Seals {
  const { cipher, pluginId } = options
  const bindingOf = (purpose: string) => ({ record: `seals of ${pluginId}`, field: purpose })
  return Object.freeze<Seals>({
    seal: (text, purpose) => cipher.seal(Buffer.from(text, 'utf8'), bindingOf(purpose)),
    async open(sealed, purpose) {
      try {
        return Buffer.from(await cipher.open(sealed, bindingOf(purpose))).toString('utf8')
      } catch (error) {
        if (secretUnreadableError.isInstance(error)) return undefined
        throw error
      }
    },
  })
}
