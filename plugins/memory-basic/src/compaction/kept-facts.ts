import { queryTermsOf } from '@agent-service/sdk/memory-index'

/** The part of the telling words of notes that a text in their place has at least. */
const minKeptWords = 0.35

/**
 * What a text that takes the place of notes leaves out of them or turns around, for the log; undefined:
 * nothing that matters. All names and numbers stay, most of the words, and what is denied stays denied.
 */
export function lostFacts(text: string, notes: readonly string[]): string | undefined {
  const sources = notes.join('\n')
  const [kept, terms] = [new Set(termsIn(text)), termsIn(sources)]
  if (terms.some((term) => /\p{N}/u.test(term) && !kept.has(term))) return 'a text leaves a number out'
  const share = terms.length === 0 ? 1 : terms.filter((term) => kept.has(term)).length / terms.length
  if (share < minKeptWords) return 'a text leaves most of the notes out'
  const words = new Set(wordsOf(text).map((word) => word.toLowerCase()))
  if (namesIn(sources).some((name) => !words.has(name))) return 'a text leaves a name out'
  const [before, after] = [denialsIn(sources), denialsIn(text)]
  if (after > before || (after === 0 && before > 0)) return 'a text denies what the notes do not deny, or the other way round'
  return undefined
}

const termsIn = (text: string): readonly string[] => queryTermsOf(text, Number.POSITIVE_INFINITY)

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Words with a capital letter in the middle of a sentence, in small letters. German writes every noun
 * like that: there the share of words has to do.
 */
function namesIn(text: string): readonly string[] {
  if ((text.match(/\b(?:der|die|das|und|ist|nicht|ein|eine|mit|von)\b/gi) ?? []).length >= 2) return []
  const found = text.match(/(?<=[\p{Ll}\p{N},;:)] )\p{Lu}[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(found.map((name) => name.toLowerCase()))]
}

const denialsIn = (text: string): number =>
  (text.match(/\b(?:not|no|never|none|neither|nor|without|cannot|nicht|nie|niemals|ohne|keine?[mnrs]?)\b|\p{L}n['’]t\b/giu) ?? []).length
