import type { InjectionToken } from 'tsyringe'
/** Encrypts small secrets at rest, bound to where they belong. */
export interface SecretCipher {
  /** `record` and `field` are authenticated: the result opens nowhere else. */
  seal(plaintext: Uint8Array, binding: { readonly record: string; readonly field: string }): Promise<string>
  /** @throws `secret_unreadable` when the text was changed, moved, or sealed under another secret. */
  open(sealed: string, binding: { readonly record: string; readonly field: string }): Promise<Uint8Array>
}

export const secretCipherToken: InjectionToken<SecretCipher> = Symbol('secret-cipher')
