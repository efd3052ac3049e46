import { findSecret, looksLikeInstruction } from '@agent-service/sdk/memory-guards'
import { queryTermsOf, termsOf } from '@agent-service/sdk/memory-index'
import { lostFacts } from './kept-facts.js'

/** A text that takes the place of notes. */
export interface ShorterText {
  readonly text: string
  /** Positions of the notes, from 0. */
  readonly from: readonly number[]
}

/** What a model's answer is good for: texts, or why it is not used. */
export type ReadAnswer = { readonly texts: readonly ShorterText[] } | { readonly refused: string }

const maxTextLength = 4_000
/** The part of the telling words of a text that must stand in the notes that it replaces. */
const minKnownWords = 0.7

/**
 * Reads what a model made of notes. It is data from outside: an answer that has another form, that is
 * not shorter, that says what the notes do not say, or leaves out what they say, is not used at all.
 */
export function readAnswer(answer: string, notes: readonly string[]): ReadAnswer {
  const parsed = parseAnswer(answer)
  if (parsed === undefined) return { refused: 'it is not in the form that was asked for' }
  const texts: ShorterText[] = []
  const named = new Set<number>()
  for (const { text, from } of parsed) {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.length > maxTextLength) return { refused: `a text has ${trimmed.length} characters` }
    const positions = [...new Set(from.map((number) => number - 1))]
    if (positions.length === 0 || positions.some((position) => notes[position] === undefined))
      return { refused: 'a text names notes that do not exist' }
    if (positions.some((position) => named.has(position))) return { refused: 'two texts name the same note' }
    for (const position of positions) named.add(position)
    const sources = positions.map((position) => notes[position] ?? '')
    if (sources.length === 1 && sources[0] === trimmed) continue
    if (findSecret(trimmed) !== undefined) return { refused: 'a text has what looks like a secret' }
    if (looksLikeInstruction(trimmed) && !sources.some(looksLikeInstruction)) return { refused: 'a text is an order to an agent' }
    const wrong = unknownWords(trimmed, sources.join('\n')) ?? lostFacts(trimmed, sources)
    if (wrong !== undefined) return { refused: wrong }
    texts.push({ text: trimmed, from: positions })
  }
  const replaced = [...new Set(texts.flatMap(({ from }) => from))]
  const before = replaced.reduce((sum, position) => sum + (notes[position]?.length ?? 0), 0)
  const after = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (texts.length > 0 && after >= before) return { refused: `it has ${after} characters in place of ${before}` }
  return { texts }
}

function parseAnswer(answer: string): readonly { readonly text: string; readonly from: readonly number[] }[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(answer.trim().replace(/^```(?:json)?\s*|\s*```$/g, ''))
  } catch {
    // A model that answers in prose: the caller logs that its answer is not used.
    return undefined
  }
  const memories = typeof value === 'object' && value !== null && 'memories' in value ? value.memories : undefined
  if (!Array.isArray(memories) || !memories.every(isShorterText)) return undefined
  return memories
}

function isShorterText(value: unknown): value is { readonly text: string; readonly from: readonly number[] } {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('from' in value)) return false
  return typeof value.text === 'string' && Array.isArray(value.from) && value.from.every((number) => Number.isSafeInteger(number))
}

/** What a text says that its sources do not: words, or anything with a digit or an address in it. */
function unknownWords(text: string, sources: string): string | undefined {
  const known = new Set(termsOf(sources))
  const terms = queryTermsOf(text, Number.POSITIVE_INFINITY)
  if (terms.some((term) => /\p{N}/u.test(term) && !known.has(term))) return 'a text has a number that the notes do not have'
  for (const [address] of text.matchAll(/\b(?:https?:\/\/|www\.)\S+|\S+@\S+/g))
    if (!sources.includes(address.replace(/[).,;:!?]+$/, ''))) return 'a text has an address that the notes do not have'
  const share = terms.length === 0 ? 1 : terms.filter((term) => known.has(term)).length / terms.length
  return share < minKnownWords ? 'a text has words that the notes do not have' : undefined
}
