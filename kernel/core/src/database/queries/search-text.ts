import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { SearchLayout, SearchText } from '@agent-service/sdk/contracts/database-driver'
import { wordsOf } from './search-words.js'

/**
 * How much of a document is searched, in UTF-16 units: more would block the thread that indexes it.
 */
export const maxSearchedLength = 100_000

/** The last millisecond of the year 2999. */
const latest = 32_503_679_999_999

const timeOrderedId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/**
 * The entry of a document in the text index of a layout; null if there is no index, or the document
 * has no words or no scope.
 */
export function searchTextOf(search: SearchLayout | undefined, document: JsonObject): SearchText | null {
  if (!search) return null
  const [scope] = textsAt(document, search.scope)
  if (scope === undefined || scope === '') return null
  const passages: string[] = []
  let left = maxSearchedLength
  for (const field of search.fields) {
    for (const text of textsAt(document, field)) {
      if (left <= 0) break
      const words = wordsOf(text.slice(0, left))
      left -= text.length
      if (words.length > 0) passages.push(words.join(' '))
    }
  }
  return passages.length === 0 ? null : { scope, order: orderAt(document, search.order), words: passages.join('\n') }
}

function orderAt(document: JsonObject, path: string): number {
  for (const value of valuesAt(document, path.split('.'))) {
    const time = timeOf(value)
    if (Number.isFinite(time)) return Math.min(Math.max(Math.floor(time), 0), latest)
  }
  return 0
}

function timeOf(value: JsonValue): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  return timeOrderedId.test(value) ? Number.parseInt(value.slice(0, 8) + value.slice(9, 13), 16) : Date.parse(value)
}

function* textsAt(document: JsonObject, path: string): Generator<string> {
  for (const value of valuesAt(document, path.split('.'))) if (typeof value === 'string') yield value
}

/** The values at a path, which passes through lists at every level, its end included. */
function* valuesAt(value: JsonValue, steps: readonly string[]): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) yield* valuesAt(item, steps)
    return
  }
  const [step, ...rest] = steps
  if (step === undefined) yield value
  else if (value !== null && typeof value === 'object' && Object.hasOwn(value, step)) {
    const member = (value as JsonObject)[step]
    if (member !== undefined) yield* valuesAt(member, rest)
  }
}
