import { begins, formatPath, parsePath } from '@agent-service/kernel-core/config'
import type { JsonValue, Problem } from '@agent-service/sdk'
import type { ConfigurationPatch } from './configuration-editor.js'

/** The most values of one patch: each is checked against the whole configuration. */
const maxValues = 1_000

/** One entry of a patch. */
export interface Change {
  readonly path: readonly string[]
  /** Absent for a reset. */
  readonly value?: JsonValue
}

/** The entries of a patch with valid paths, and the problems of the others. */
export function readPatch(patch: ConfigurationPatch): { readonly changes: readonly Change[]; readonly problems: readonly Problem[] } {
  if (countValues([patch.set ?? {}, patch.reset ?? []]) > maxValues)
    return { changes: [], problems: [{ path: '', message: `changes more than ${maxValues} values at once; split the change` }] }
  const problems: Problem[] = []
  const changes: Change[] = []
  const add = (text: string, rest: { readonly value?: JsonValue }): void => {
    const path = readPath(text)
    if ('message' in path) problems.push({ path: text, message: path.message })
    else changes.push({ path: path.path, ...rest })
  }
  // A copy that contains only plain JSON.
  for (const [path, value] of Object.entries(patch.set ?? {})) add(path, { value: JSON.parse(JSON.stringify(value)) as JsonValue })
  for (const path of patch.reset ?? []) add(path, {})
  return { changes, problems: [...problems, ...overlaps(changes)] }
}

/** Counts members at all depths; stops after the limit. */
function countValues(all: readonly unknown[]): number {
  const open = [...all]
  let count = 0
  for (let next = open.pop(); next !== undefined && count <= maxValues; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const members = Object.values(next)
    count += members.length
    if (count <= maxValues) open.push(...members)
  }
  return count
}

function readPath(text: string): { readonly path: readonly string[] } | { readonly message: string } {
  const path = parsePath(text)
  if (path === undefined || path.length === 0)
    return { message: 'is not a path; write it with dots, and a key with a dot or a quote in double quotes' }
  const names = path.filter((part) => typeof part === 'string')
  if (names.length === path.length && !names.includes('__proto__')) return { path: names }
  if (names.includes('__proto__')) return { message: 'has a key that cannot be used' }
  const list = formatPath(
    path.slice(
      0,
      path.findIndex((part) => typeof part === 'number'),
    ),
  )
  return { message: `leads into a list, whose items have no path; set the whole list “${list}”` }
}

/**
 * Reports paths that occur twice, or that are the beginning of another one, since it is undefined
 * which of the two would apply.
 */
function overlaps(changes: readonly Change[]): readonly Problem[] {
  const sorted = changes.map(({ path }) => path).sort((one, other) => compare(one.join('\0'), other.join('\0')))
  return sorted.flatMap((path, index) => {
    const before = sorted[index - 1]
    if (!before || !begins(before, path)) return []
    const [one, other] = [formatPath(before), formatPath(path)]
    return [
      {
        path: other,
        message: one === other ? 'is changed twice' : `is inside “${one}”, which the change also names; name only one of them`,
      },
    ]
  })
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
