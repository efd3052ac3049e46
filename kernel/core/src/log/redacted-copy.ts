import { redactedText } from './redactor.js'
import { isSecretName } from './secret-patterns.js'

const maxDepth = 8
const maxNodes = 1000
const maxMembers = 200
const maxItems = 100
const maxCharacters = 50_000

interface Walk {
  readonly text: (text: string) => string
  /** The objects between the root and the current one, to detect cycles. */
  readonly path: Set<object>
  nodes: number
  characters: number
}

/** A copy as plain JSON, with secrets masked. Never throws and never calls `toJSON`. */
export function copyFields(value: unknown, text: (text: string) => string): unknown {
  try {
    return copy(value, { text, path: new Set(), nodes: 0, characters: 0 }, 0)
  } catch {
    return '[unreadable]'
  }
}

function copy(value: unknown, walk: Walk, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return copyText(value, walk)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'boolean':
    case 'undefined':
      return value
    case 'bigint':
      return value.toString()
    case 'symbol':
      return copyText(String(value), walk)
    case 'function':
      return '[function]'
    default:
      return value === null ? null : copyObject(value as object, walk, depth)
  }
}

function copyText(value: string, walk: Walk): string {
  if (walk.characters > maxCharacters) return '[cut]'
  const masked = walk.text(value)
  walk.characters += masked.length
  return masked
}

function copyObject(value: object, walk: Walk, depth: number): unknown {
  if (walk.path.has(value)) return '[circular]'
  if (depth >= maxDepth) return '[too deep]'
  if (++walk.nodes > maxNodes) return '[too many]'
  walk.path.add(value)
  try {
    if (Array.isArray(value)) return copyArray(value, walk, depth)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString()
    if (value instanceof URL || value instanceof RegExp) return copyText(String(value), walk)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
    if (value instanceof Map || isHeaders(value) || value instanceof URLSearchParams) return copyEntries(value, walk, depth)
    if (value instanceof Set) return copyArray([...value].slice(0, maxItems + 1), walk, depth)
    return copyMembers(value, walk, depth)
  } catch {
    return '[unreadable]'
  } finally {
    walk.path.delete(value)
  }
}

/**
 * Copies a list. An item after the name of a secret is masked: in `rawHeaders`, and in pairs of
 * name and value.
 */
function copyArray(value: readonly unknown[], walk: Walk, depth: number): unknown {
  const items: unknown[] = []
  for (let index = 0; index < Math.min(value.length, maxItems); index++) {
    const before = value[index - 1]
    const item = read(() => value[index])
    items.push(typeof before === 'string' && isSecretName(before) && typeof item === 'string' ? redactedText : copy(item, walk, depth + 1))
  }
  if (value.length > maxItems) items.push(`[${value.length - maxItems} more]`)
  return items
}

function copyEntries(value: Iterable<readonly [unknown, unknown]>, walk: Walk, depth: number): unknown {
  const members: [string, unknown][] = []
  for (const [key, member] of value) {
    if (members.length >= maxMembers) break
    members.push([typeof key === 'string' ? key : String(key), member])
  }
  return copyPairs(members, walk, depth)
}

function copyMembers(value: object, walk: Walk, depth: number): unknown {
  const names = Object.keys(value)
  const pairs = names.slice(0, maxMembers).map((name): [string, unknown] => [name, read(() => (value as Record<string, unknown>)[name])])
  if (isErrorLike(value)) pairs.unshift(...errorPairs(value, new Set(names)))
  const result = copyPairs(pairs, walk, depth)
  if (names.length > maxMembers) result['…'] = `[${names.length - maxMembers} more]`
  return result
}

/** The parts of an error that are not enumerable. */
function errorPairs(error: Error, listed: ReadonlySet<string>): [string, unknown][] {
  return ['name', 'message', 'stack', 'cause', 'errors']
    .filter((name) => !listed.has(name))
    .map((name): [string, unknown] => [name, read(() => (error as unknown as Record<string, unknown>)[name])])
    .filter(([, member]) => member !== undefined)
}

function copyPairs(pairs: readonly (readonly [string, unknown])[], walk: Walk, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const namesSecret = pairs.some(([name, member]) => isNameMember(name) && typeof member === 'string' && isSecretName(member))
  for (const [name, member] of pairs) {
    const secret = isMasked(name, member) || (namesSecret && name === 'value')
    // A key can also be a secret, for example in a map with tokens as keys.
    Object.defineProperty(result, walk.text(name), {
      value: secret ? redactedText : copy(member, walk, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

const isNameMember = (name: string): boolean => name === 'name' || name === 'key' || name === 'header'

/**
 * Whether a member is a secret. Counts and flags are not, whatever their name: `first_token: 12`,
 * `has_password: true`.
 */
function isMasked(name: string, member: unknown): boolean {
  if (member === undefined || member === null || typeof member === 'boolean' || !isSecretName(name)) return false
  return typeof member !== 'number' || !/token$/i.test(name)
}

/**
 * Compares the name: using the class itself would load the runtime's HTTP client (30 ms, several
 * megabytes) with the first line of a log.
 */
const isHeaders = (value: object): value is Headers => Object.prototype.toString.call(value) === '[object Headers]'

const isErrorLike = (value: object): value is Error => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'

function read(member: () => unknown): unknown {
  try {
    return member()
  } catch {
    return '[unreadable]'
  }
}
