import type { PlacedSecret } from './found-secret.js'

/** A word for a secret, and what follows it within a few words. `key` alone opens doors too, so it takes more. */
const named =
  /(?<![\p{L}\p{N}])((?:api|access|secret|private|account|auth|signing|encryption|licen[cs]e|webhook)[ _-]?key|key|token|secret|credentials?|bearer|authorization|zugangsschl(?:ü|ue)ssel|schl(?:ü|ue)ssel|geheimnis|zugangsdaten|jeton|cl[ée]|clave|chave|chiave|sleutel)s?(?![\p{L}\p{N}])([^\n]{0,160})/giu

const token = /(?<![\w+/=.~-])[\w+/=.~-]{16,512}(?![\w+/=~-])/g
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Texts that look as if they were drawn at random, shortly behind a word for a secret. */
export const findRandomTokens = (text: string): readonly PlacedSecret[] =>
  [...text.matchAll(named)].flatMap((match) => {
    const [whole, word = '', rest = ''] = match
    const start = match.index + whole.length - rest.length
    const isPlainWord = /^(?:key|cl[ée]|clave|chave|chiave|sleutel|schl(?:ü|ue)ssel)$/i.test(word)
    return [...rest.matchAll(token)].flatMap(({ 0: found, index }) => {
      const value = found.replace(/[.~-]+$/, '')
      const isSecret = uuid.test(value) ? !isPlainWord : isRandom(value)
      return isSecret ? [{ kind: 'key' as const, value, index: start + index }] : []
    })
  })

const minEntropy = 3
const minPart = 12
const minLong = 32

/** Not a path, a name or a sentence in one word: letters and digits change places often, or it is long and of all kinds. */
function isRandom(text: string): boolean {
  if (/^(?:\.{0,2}|~)\/|:\/\/|\.[a-z]{2,5}$/.test(text)) return false
  const isLong = text.length >= minLong && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
  if (isLong && !/[-_.]\w{1,20}[-_.]/.test(text) && entropyOf(text) >= 4) return true
  return text.split(/[-_./~=+]/).some((part) => part.length >= minPart && entropyOf(part) >= minEntropy && changesOf(part) >= 3)
}

/** How often letters and digits take turns. */
const changesOf = (text: string): number => (text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g) ?? []).length

/** Bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
