import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** The parsed text, or `undefined` if it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that is a non-empty text. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member that is a finite number. */
export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
