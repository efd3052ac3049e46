/** What a secret seems to be. */
export type SecretKind = 'password' | 'key' | 'card'

/** A secret in a text. */
export interface FoundSecret {
  /** What it seems to be. */
  readonly kind: SecretKind
  /** The secret itself, without what names it. Never shown. */
  readonly value: string
}

/** A secret with its place in the text that was searched. */
export interface PlacedSecret extends FoundSecret {
  /** Of its first character. */
  readonly index: number
}
