import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@agent-service/sdk'
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff'
import type { AgentDefinition } from '../store/agents/agent.js'

/** One difference between two definitions. */
export type DefinitionChange = {
  /** A JSON pointer: `/instructions`, `/approval/read_file`. */
  readonly path: string
  /** Absent if the older definition lacks it. */
  readonly before?: JsonValue
  /** Absent if the newer definition lacks it. */
  readonly after?: JsonValue
  /**
   * For two texts: a unified diff of their lines, without file names. Absent if they have too
   * little in common for a diff to be useful, or are very long.
   */
  readonly patch?: string
}

/**
 * What a patch may cost, so that it blocks no other request: longer texts, and texts with more
 * differing lines, have none.
 */
const patchLimits = { maxEditLength: 200, timeout: 15 }

/** What a patch may cost: edits of lines, and milliseconds. */
export interface PatchLimits {
  readonly maxEditLength: number
  readonly timeout: number
}
const maxLines = 5_000

/**
 * The differences between two definitions, in the order of their members. Maps are compared by
 * member, lists as a whole.
 */
export async function diffDefinitions(
  before: AgentDefinition | undefined,
  after: AgentDefinition,
  limits: PatchLimits = patchLimits,
): Promise<readonly DefinitionChange[]> {
  const older = before ? placesOf(before) : new Map<string, JsonValue>()
  const newer = placesOf(after)
  const paths = [...newer.keys(), ...[...older.keys()].filter((path) => !newer.has(path))]
  const changes: DefinitionChange[] = []
  for (const path of paths) {
    const [from, to] = [older.get(path), newer.get(path)]
    if (isDeepStrictEqual(from, to)) continue
    const texts = typeof from === 'string' && typeof to === 'string'
    // Each patch is quick; other requests run in between.
    if (texts) await setImmediate()
    const patch = texts ? patchOf(from, to, limits) : undefined
    changes.push({
      path,
      ...(from === undefined ? {} : { before: from }),
      ...(to === undefined ? {} : { after: to }),
      ...(patch === undefined ? {} : { patch }),
    })
  }
  return changes
}

function placesOf(definition: AgentDefinition): ReadonlyMap<string, JsonValue> {
  const places = new Map<string, JsonValue>()
  for (const [name, value] of Object.entries(definition) as readonly (readonly [string, JsonValue])[]) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) places.set(pointer(name), value)
    else
      for (const [key, member] of Object.entries(value) as readonly (readonly [string, JsonValue])[]) places.set(pointer(name, key), member)
  }
  return places
}

const pointer = (...names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function patchOf(before: string, after: string, limits: PatchLimits): string | undefined {
  if (linesOf(before) + linesOf(after) > maxLines) return undefined
  // Without this, the patch would report a missing line break at the end, which is of no use.
  const ending = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n'
  const patch = structuredPatch('', '', before + ending, after + ending, '', '', { context: 3, ...limits })
  return patch && formatPatch(patch, OMIT_HEADERS)
}

function linesOf(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
