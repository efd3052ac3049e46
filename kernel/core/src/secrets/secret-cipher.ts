import { randomBytes } from 'node:crypto'
import type { InjectionToken } from 'tsyringe'
import { decrypt, encrypt, formatSealed, nonceLength, parseSealed } from './authenticated-encryption.js'
import type { DataKeys } from './data-keys.js'
import { secretTooLargeError, secretUnreadableError } from './secret-errors.js'

/** Encrypts small secrets at rest, bound to where they belong. */
export interface SecretCipher {
  /** `record` and `field` are authenticated: the result opens only with the same ones. */
  seal(plaintext: Uint8Array, binding: { readonly record: string; readonly field: string }): Promise<string>
  /** @throws `secret_unreadable` if the text was changed, moved, or sealed under another secret */
  open(sealed: string, binding: { readonly record: string; readonly field: string }): Promise<Uint8Array>
}

export const secretCipherToken: InjectionToken<SecretCipher> = Symbol('secret-cipher')

const maxSecretBytes = 1024 * 1024

export function createSecretCipher(dataKeys: Pick<DataKeys, 'take' | 'find'>): SecretCipher {
  return Object.freeze<SecretCipher>({
    async seal(plaintext, binding) {
      if (plaintext.length > maxSecretBytes) throw secretTooLargeError.create({ bytes: plaintext.length, limit: maxSecretBytes })
      const { id, key } = await dataKeys.take()
      const nonce = randomBytes(nonceLength)
      return formatSealed({ keyId: id, nonce, sealed: encrypt(key, nonce, plaintext, contextOf(binding, id)) })
    },
    async open(sealed, binding) {
      const parts = parseSealed(sealed)
      if (!parts) throw secretUnreadableError.create({ ...binding, reason: 'the stored text is damaged' })
      const key = await dataKeys.find(parts.keyId)
      if (!key) throw secretUnreadableError.create({ ...binding, reason: `its data key ${parts.keyId} is not in this database` })
      const plaintext = decrypt(key, parts.nonce, parts.sealed, contextOf(binding, parts.keyId))
      if (!plaintext) throw secretUnreadableError.create({ ...binding, reason: 'the stored text was changed or belongs to another record' })
      return plaintext
    },
  })
}

/** A list as JSON, so that different bindings never have the same bytes. */
const contextOf = ({ record, field }: { readonly record: string; readonly field: string }, keyId: string): Uint8Array =>
  Buffer.from(JSON.stringify(['agent-service secret', 1, record, field, keyId]), 'utf8')
