import type { JsonObject } from './json.js'

/** Since ECMAScript 2024, which Node 20 has and the compiler's library for it has not. */
interface WellFormedText {
  isWellFormed(): boolean
  toWellFormed(): string
}

/** Whether a text has no lone surrogate: half a character, which UTF-8 cannot encode. */
export const isWellFormed = (text: string): boolean => (text as unknown as WellFormedText).isWellFormed()

/** The text with U+FFFD in place of every lone surrogate; its length stays the same. */
export const wellFormed = (text: string): string => (text as unknown as WellFormedText).toWellFormed()

/**
 * Plain data whose texts and names of members are all well-formed: the value itself if they are,
 * else a copy of what had to change. Of two members whose names become one, the last stays.
 */
export function wellFormedValue<Value>(value: Value): Value {
  return repaired(value) as Value
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(repaired)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const members = Object.entries(value).map(([name, member]) => [wellFormed(name), repaired(member)] as const)
  const isSame = members.every(([name, member]) => (value as JsonObject)[name] === member && Object.hasOwn(value, name))
  return isSame ? value : Object.fromEntries(members)
}

/**
 * The JSON pointers of texts and names of members with a lone surrogate, in order, at most `max`.
 * Those of names end at their object.
 */
export function findIllFormed(value: unknown, max = 20): readonly string[] {
  const found: string[] = []
  const visit = (item: unknown, path: string): void => {
    if (found.length >= max) return
    if (typeof item === 'string') {
      if (!isWellFormed(item)) found.push(path)
      return
    }
    if (typeof item !== 'object' || item === null) return
    if (Array.isArray(item)) {
      for (const [index, each] of item.entries()) visit(each, `${path}/${index}`)
      return
    }
    for (const [name, member] of Object.entries(item)) {
      if (isWellFormed(name)) visit(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      else if (found.length < max) found.push(path)
    }
  }
  visit(value, '')
  return found
}
