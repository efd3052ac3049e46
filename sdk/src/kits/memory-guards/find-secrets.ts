import { findCards } from './card-numbers.js'
import { withoutInvisible } from './folded-text.js'
import type { FoundSecret, PlacedSecret } from './found-secret.js'
import { findKeys } from './key-forms.js'
import { findRandomTokens } from './random-tokens.js'
import { findSaidPasswords } from './said-passwords.js'

const finders: readonly ((text: string) => readonly PlacedSecret[])[] = [findKeys, findCards, findSaidPasswords, findRandomTokens]

/**
 * The first thing in a text that looks like a secret: a password that is said in a sentence, a key or
 * token by the form that its vendor gives it or by the word before it, the number of a payment card.
 * Undefined: nothing does. Takes time in proportion to the text, whatever it is.
 */
export function findSecret(text: string): FoundSecret | undefined {
  const plain = withoutInvisible(text)
  for (const find of finders) {
    const [first] = find(plain)
    if (first) return { kind: first.kind, value: first.value }
  }
  return undefined
}

/** What stands in the place of a secret. */
const mask = '[redacted]'

/** The same text with everything masked that {@link findSecret} finds; the same value if that is nothing. */
export function maskSecrets(text: string): string {
  const plain = withoutInvisible(text)
  let masked = ''
  let end = 0
  for (const { index, value } of finders.flatMap((find) => find(plain)).sort((one, other) => one.index - other.index)) {
    if (index + value.length <= end) continue
    if (index >= end) masked += `${plain.slice(end, index)}${mask}`
    end = index + value.length
  }
  return end === 0 ? text : masked + plain.slice(end)
}
