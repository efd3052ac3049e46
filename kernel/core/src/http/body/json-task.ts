/** What a thread of the pool for large JSON bodies does. */

import type { Problem } from '@agent-service/sdk'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { malformedJsonError, nestingTooDeepError, tooManyValuesError } from '../errors.js'
import { cutIntoSlices } from './json-slices.js'
import { type JsonRules, readJson } from './read-json.js'

/** The bytes of a body, which the thread takes over, and how they are read. */
export interface JsonTask {
  bytes: Uint8Array<ArrayBuffer>
  readonly rules: JsonRules
}

/** What became of it. Errors of ours do not survive the way back; their details do. */
export type JsonTaskResult =
  /** Each slice is JSON text. */
  | { readonly kind: 'read'; readonly slices: Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many-values' }

export default function runJsonTask(task: JsonTask): unknown {
  try {
    const { body, problems } = readJson(takeBytes(task), task.rules)
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

/** The pool refers to the task until it is done: its bytes are let go of before. */
function takeBytes(task: JsonTask): Uint8Array {
  const { bytes } = task
  task.bytes = new Uint8Array()
  return bytes
}

const result = (value: JsonTaskResult): JsonTaskResult => value
