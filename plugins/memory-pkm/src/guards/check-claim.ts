import { looksLikeInstruction } from '@agent-service/sdk/memory-guards'
import type { ChatMessage } from '@agent-service/sdk/services/chats'
import { normalText, wordsOf } from '../common/text.js'
import { flatText, groupedDigits, type PreparedText, prepareMessage, prepareText } from './prepared.js'

/** Why a candidate is dropped: one word, which metrics count by. */
export type Refusal = 'message' | 'quote' | 'evidence' | 'kind' | 'instruction' | 'unsupported' | 'secret'

/** What a claim is held against. */
export interface ClaimEvidence {
  /** The messages, without secrets, by sequence: the part of the chat, and those before it. */
  readonly messages: ReadonlyMap<number, ChatMessage>
  /** The first sequence that may be cited. */
  readonly from: number
  /** How many messages of the agent evidence may lie back. */
  readonly maxLookback: number
  redact(text: string): string
}

/** What a model has noted. */
export interface CitedText {
  readonly text: string
  readonly quote: string
  readonly message: number
}

/** What a model has noted as a claim. */
export interface CitedClaim extends CitedText {
  readonly kind: string
  readonly source: 'person' | 'agent'
  readonly evidence?: { readonly message: number; readonly quote: string }
}

/**
 * Holds a claim against the chat. A person's claim counts if its quote stands in a message of theirs,
 * in their own words; one of an agent if it says what was done, and a result of a tool shortly before
 * shows it. Undefined: it counts.
 */
export function checkClaim(claim: CitedClaim, context: ClaimEvidence): Refusal | undefined {
  const message = context.messages.get(claim.message)
  if (!message || message.sequence < context.from) return 'message'
  if (claim.source === 'person') return checkCitation(claim, context) ?? checkText(claim, prepareMessage(message).own)
  // What an answer that broke off says of itself was perhaps not done.
  if (message.role !== 'agent' || message.partial) return 'message'
  if (claim.kind !== 'event' && claim.kind !== 'commitment') return 'kind'
  if (!hasQuote(prepareMessage(message).whole, claim.quote)) return 'quote'
  if (!hasToolEvidence(claim, context)) return 'evidence'
  return checkSecrets(claim, context) ?? checkText(claim, prepareText(`${message.text}\n${claim.evidence?.quote ?? ''}`))
}

/** Holds what is cited from a person's own words against them; says nothing of what was made of it. */
export function checkCitation(cited: CitedText, context: ClaimEvidence): Refusal | undefined {
  const message = context.messages.get(cited.message)
  if (!message || message.sequence < context.from || message.role !== 'person') return 'message'
  if (!hasQuote(prepareMessage(message).own, cited.quote)) return 'quote'
  return checkSecrets(cited, context)
}

const checkSecrets = ({ text, quote }: CitedText, { redact }: ClaimEvidence): Refusal | undefined =>
  [text, quote].some((each) => redact(each) !== each || each.includes('[redacted]')) ? 'secret' : undefined

function checkText({ text, quote }: CitedText, source: PreparedText): Refusal | undefined {
  if (looksLikeInstruction(text)) return 'instruction'
  return isSupported(text, quote, source) ? undefined : 'unsupported'
}

function hasQuote(text: PreparedText, quote: string): boolean {
  const normal = normalText(quote)
  return normal.length >= 2 && text.normal.includes(normal)
}

/** The least length of what a tool has shown, in UTF-16 code units. */
const minEvidence = 6

/** Evidence of a tool: it says something of the claim, and stands between the claim's message and the agent's messages before it, not further back than allowed. */
function hasToolEvidence({ text, message, evidence }: CitedClaim, { messages, maxLookback }: ClaimEvidence): boolean {
  if (!evidence || evidence.message >= message) return false
  const shown = messages.get(evidence.message)
  if (shown?.role !== 'tool' || shown.partial || !hasQuote(prepareMessage(shown).whole, evidence.quote)) return false
  if (normalText(evidence.quote).length < minEvidence || !sharesTellingWord(text, evidence.quote)) return false
  return agentMessagesBetween(messages, evidence.message, message) <= maxLookback
}

/** How many messages of the agent stand behind one sequence, up to another one. */
export function agentMessagesBetween(messages: ReadonlyMap<number, ChatMessage>, after: number, until: number): number {
  let count = 0
  for (let sequence = after + 1; sequence <= until; sequence += 1) if (messages.get(sequence)?.role === 'agent') count += 1
  return count
}

/**
 * Whether a text can follow from the quote: it shares a word with it, and no address, link or long
 * number of it is missing in the message.
 */
function isSupported(text: string, quote: string, source: PreparedText): boolean {
  if (!hasNoNewDetails(text, source)) return false
  const quoted = new Set(wordsOf(quote).map(stem))
  return wordsOf(text).some((word) => !functionWords.has(word) && quoted.has(stem(word)))
}

/** Whether two texts share a word of their own, a name, or a number of at least two digits. */
function sharesTellingWord(one: string, other: string): boolean {
  const isTelling = (word: string): boolean => !functionWords.has(word) && (word.length >= 3 || /^(?:\p{N}{2,}|\P{ASCII}+)$/u.test(word))
  const words = new Set(wordsOf(other).filter(isTelling).map(stem))
  return wordsOf(one).some((word) => isTelling(word) && words.has(stem(word)))
}

/** Every address, link, domain, path, command and long number of the text stands in the source. */
export function hasNoNewDetails(text: string, source: PreparedText): boolean {
  const flat = flatText(text)
  const details = detailPatterns.flatMap((pattern) => flat.match(pattern) ?? [])
  const numbers = text.replaceAll(/\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?/g, '').match(/\d[\d\s./-]{3,}\d/g) ?? []
  return (
    details.every((detail) => source.flat.includes(detail.trim().replace(/[.,;:!?]+$/, ''))) &&
    numbers.every((number) => source.digits.includes(number.replaceAll(groupedDigits, '')))
  )
}

/** What a text in small letters and on one line may name that others could have planted. */
const detailPatterns: readonly RegExp[] = [
  /(?:https?:\/\/|www\.)[^\s<>()"']+/g,
  /[^\s<>()"'@]{1,100}@[^\s<>()"'@]{1,200}\.[a-z]{2,}/g,
  // Domains and names of files.
  /(?<![\w.@-])(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])(?:[:/][^\s<>()"']*)?/g,
  // Paths.
  /(?<![^\s"'(])(?:~|\.{1,2})?\/[\w.~-][^\s<>()"']*/g,
  /(?<!\w)[a-z]:\\[^\s<>()"']+/g,
  // Code and commands.
  /`[^`]{1,500}`/g,
  /(?:\|{1,2}|&&) ?[\w./-]+/g,
  /\$\([^)]{0,200}\)?/g,
  /(?<!\S)--[a-z][\w-]*/g,
  /(?<![\w-])(?:curl|wget|sudo|chmod|scp|ssh|eval|powershell|bash|rm) -{0,2}[\w./-]+/g,
]

/** Words that stand in every text. */
const functionWords = new Set(
  'a an and are as at be by for from has have he her his i in is it its my no not of on or our she so that the their they this to was we were will with you your der die das den dem ein eine einen einem und ist sind war in im am an auf für mit von zu zum zur ich er sie es wir nicht mein meine sein seine ihr ihre hat haben'.split(
    ' ',
  ),
)

/** Enough of a word that its forms are alike. */
const stem = (word: string): string => (word.length > 5 ? word.slice(0, 5) : word)
