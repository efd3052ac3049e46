import { type JsonObject, type JsonValue, wellFormed } from '@agent-service/sdk'

export { wellFormed }

const maxDepth = 64

/**
 * The length of the text without a high surrogate at its end, whose low surrogate has not come yet.
 */
export function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
}

/** The first `length` code units of a text, or one less if that would split a surrogate pair. */
export const cutText = (text: string, length: number): string => text.slice(0, wholeLength(text.slice(0, length)))

/**
 * An object with well-formed texts. `undefined` if a store would refuse it: nested over 64 levels,
 * or with a member `__proto__`.
 */
export function storableObject<Value extends JsonObject>(value: Value): Value | undefined {
  return storable(value, 1) as Value | undefined
}

function storable(value: JsonValue, depth: number): JsonValue | undefined {
  if (typeof value === 'string') return wellFormed(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > maxDepth) return undefined
  if (Array.isArray(value)) {
    const items: JsonValue[] = []
    for (const item of value as readonly JsonValue[]) {
      const copy = storable(item, depth + 1)
      if (copy === undefined) return undefined
      items.push(copy)
    }
    return items
  }
  const members: Record<string, JsonValue> = {}
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const copy = name === '__proto__' ? undefined : storable(member, depth + 1)
    if (copy === undefined) return undefined
    members[wellFormed(name)] = copy
  }
  return members
}
