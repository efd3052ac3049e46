import type { JsonObject, JsonValue } from '../../core/json.js'

/** True for a JSON object, neither an array nor null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member when it is an object. */
export const objectAt = (value: unknown, name: string): JsonObject | undefined => {
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : undefined
}

/** The member when it is a text with at least one character. */
export const textAt = (value: unknown, name: string): string | undefined => {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** The member when it is an array, else an empty one. */
export const listAt = (value: unknown, name: string): readonly JsonValue[] => {
  const member = isObject(value) ? value[name] : undefined
  return Array.isArray(member) ? member : []
}

/** The member when it is a finite number. */
export const numberAt = (value: unknown, name: string): number | undefined => {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined
}

/** The parsed text, or `undefined` if it is not JSON. */
export const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
