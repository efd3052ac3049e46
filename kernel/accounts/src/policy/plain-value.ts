import { isWellFormed } from '@agent-service/kernel-core/database/documents'

const deepest = 16
const maxValues = 10_000
const maxCharacters = 65_536

/** The size of a JSON value. */
export interface PlainSize {
  values: number
  characters: number
}

/** Whether it is not an instance of a class, which may read differently next time. */
function isBare(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Measures a value that is JSON without null and lone surrogates and, together with `besides`,
 * small enough for a question to the engine, below the engine's own limits. Undefined for any other
 * value.
 */
export function plainSizeOf(value: unknown, besides?: PlainSize): PlainSize | undefined {
  const size: PlainSize = { values: besides?.values ?? 0, characters: besides?.characters ?? 0 }
  return isPlain(value, 0, size) ? size : undefined
}

function isPlain(part: unknown, depth: number, size: PlainSize): boolean {
  size.values += 1
  if (size.values > maxValues || depth > deepest) return false
  switch (typeof part) {
    case 'string':
      return isText(part, size)
    case 'number':
    case 'boolean':
      return true
    case 'object':
      if (part === null) return false
      return Array.isArray(part) ? part.every((item) => isPlain(item, depth + 1, size)) : isPlainObject(part, depth, size)
    default:
      return false
  }
}

function isPlainObject(object: object, depth: number, size: PlainSize): boolean {
  if (!isBare(object)) return false
  const members = object as Readonly<Record<string, unknown>>
  return Object.keys(members).every((name) => isText(name, size) && isPlain(members[name], depth + 1, size))
}

function isText(text: string, size: PlainSize): boolean {
  size.characters += text.length
  return size.characters <= maxCharacters && isWellFormed(text)
}
