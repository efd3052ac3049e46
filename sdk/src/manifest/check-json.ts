import type { Problem } from '../core/errors.js'

const deepest = 100

/** A JSON pointer, one step further. */
export const pointer = (path: string, segment: string | number): string =>
  `${path === '/' ? '' : path}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Checks that a value equals what is read back after it was written as JSON. Empty when it does;
 * else each place that would be lost or changed, its path a JSON pointer that begins with `path`.
 */
export function checkJson(value: unknown, path: string): readonly Problem[] {
  return check(value, path, new Set())
}

function check(value: unknown, path: string, above: ReadonlySet<unknown>): readonly Problem[] {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return []
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? []
        : [{ path, message: `is ${Object.is(value, -0) ? '-0' : String(value)}, which JSON cannot represent` }]
    case 'object':
      return value === null ? [] : checkObject(value, path, above)
    default:
      return [{ path, message: `is ${article(typeof value)}, which JSON cannot represent` }]
  }
}

function checkObject(value: object, path: string, above: ReadonlySet<unknown>): readonly Problem[] {
  if (above.has(value)) return [{ path, message: 'contains itself; JSON has no cycles' }]
  if (above.size >= deepest) return [{ path, message: `is nested more than ${deepest} levels deep` }]
  const inside = new Set(above).add(value)
  if (Array.isArray(value)) return Array.from(value, (item: unknown, index) => check(item, pointer(path, index), inside)).flat()
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    return [
      { path, message: `is ${article(value.constructor.name || 'object')}, which JSON cannot represent; only plain objects and lists are` },
    ]
  }
  return Reflect.ownKeys(value).flatMap((key) =>
    typeof key === 'symbol'
      ? [{ path, message: `has the symbol ${String(key)} as a key, which JSON leaves out` }]
      : check((value as Readonly<Record<string, unknown>>)[key], pointer(path, key), inside),
  )
}

const article = (word: string): string => (word === 'undefined' ? word : `${/^[aeio]/i.test(word) ? 'an' : 'a'} ${word}`)
