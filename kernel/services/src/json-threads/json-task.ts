/** The work of a thread of the pool for large JSON bodies. */

import { malformedJsonError, nestingTooDeepError, tooManyValuesError } from '@agent-service/kernel-core/http'
import { type JsonRules, joinBlocks, readJson } from '@agent-service/kernel-core/http/body'
import type { Problem } from '@agent-service/sdk'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { cutIntoSlices } from './json-slices.js'

/** The bytes of a body, which move to the thread, and how they are read. */
export interface JsonTask {
  blocks: readonly Uint8Array<ArrayBuffer>[]
  readonly rules: JsonRules
}

/**
 * The outcome. The error classes of this project cannot be sent between threads, so their details
 * are.
 */
export type JsonTaskResult =
  /** Each slice is JSON text. */
  | { readonly kind: 'read'; readonly slices: Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[]; readonly given: string | undefined }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many-values' }

export default function runJsonTask(task: JsonTask): unknown {
  try {
    const { body, problems, given } = readJson(takeBytes(task), task.rules)
    if (problems.length > 0) return result({ kind: 'problems', problems: problems.slice(0, 100), given })
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

/** Takes the bytes out of the task, so that they can be freed while the pool still refers to it. */
function takeBytes(task: JsonTask): Uint8Array {
  const { blocks } = task
  task.blocks = []
  return joinBlocks(blocks)
}

const result = (value: JsonTaskResult): JsonTaskResult => value
