import type { JsonObject, JsonValue } from '../../core/json.js'
import { listAt, textAt } from '../common/json.js'

const none: readonly JsonValue[] = []

/** The content of a delta or message, which is a text or a list of typed parts. */
export function readContent(content: JsonValue | undefined): {
  readonly text: string
  readonly reasoning: string
  readonly thinking: readonly JsonValue[]
} {
  if (typeof content === 'string') return { text: content, reasoning: '', thinking: none }
  if (!Array.isArray(content)) return { text: '', reasoning: '', thinking: none }
  const parts: readonly JsonValue[] = content
  const thinking = parts.filter((part) => textAt(part, 'type') === 'thinking')
  return {
    text: parts.map((part) => (textAt(part, 'type') === 'text' ? (textAt(part, 'text') ?? '') : '')).join(''),
    reasoning: thinking.flatMap((part) => listAt(part, 'thinking').map((piece) => textAt(piece, 'text') ?? '')).join(''),
    thinking,
  }
}

/** The fields in which brands put readable reasoning, in the order in which they are looked at. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'reasoning_details'] as const
export type ReasoningField = (typeof reasoningFields)[number]

/**
 * Readable reasoning of a delta and the field that held it. Several fields may carry the same
 * words, in one delta or in several, so the first one with content is the only one that is read for
 * the rest of the answer: pass it as `only`.
 */
export function readReasoning(
  delta: JsonObject,
  only: ReasoningField | undefined,
): { readonly field: ReasoningField; readonly text: string } | undefined {
  for (const field of reasoningFields) {
    if (only !== undefined && field !== only) continue
    const text = field === 'reasoning_details' ? detailsText(delta) : textAt(delta, field)
    if (text !== undefined && text !== '') return { field, text }
  }
  return undefined
}

const detailsText = (delta: JsonObject): string =>
  listAt(delta, 'reasoning_details')
    .map((detail) => textAt(detail, 'text') ?? textAt(detail, 'summary') ?? '')
    .join('')
