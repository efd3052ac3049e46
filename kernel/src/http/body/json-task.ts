/** What a thread of the pool for large JSON bodies does. */

import type { Problem } from '@agent-service/sdk'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { malformedJsonError, nestingTooDeepError, tooManyValuesError } from '../errors.js'
import { cutIntoSlices } from './json-slices.js'
import { type JsonRules, readJson } from './read-json.js'

/** The bytes of a body, which the thread takes over, and how they are read. */
export interface JsonTask extends JsonRules {
  readonly chunks: Uint8Array<ArrayBuffer>[]
}

/** What became of it. Errors of ours do not survive the way back; their details do. */
export type JsonTaskResult =
  /** Each slice is JSON text. */
  | { readonly kind: 'read'; readonly slices: Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many-values' }

export default function runJsonTask({ chunks, ...rules }: JsonTask): unknown {
  try {
    // The pool refers to the task until it is done.
    const { body, problems } = readJson(Buffer.concat(chunks.splice(0)), rules)
    if (problems.length > 0) return result({ kind: 'problems', problems: problems.slice(0, 100) })
    const slices = Array.from(cutIntoSlices(body), (slice) => new TextEncoder().encode(JSON.stringify(slice)))
    return move({
      [transferableSymbol]: slices.map(({ buffer }) => buffer),
      [valueSymbol]: result({ kind: 'read', slices }),
    })
  } catch (error) {
    if (malformedJsonError.isInstance(error)) return result({ kind: 'malformed', reason: String(error.details['reason']) })
    if (nestingTooDeepError.isInstance(error)) return result({ kind: 'too-deep' })
    if (tooManyValuesError.isInstance(error)) return result({ kind: 'too-many-values' })
    throw error
  }
}

const result = (value: JsonTaskResult): JsonTaskResult => value
