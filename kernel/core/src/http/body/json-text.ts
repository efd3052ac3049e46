import { malformedJsonError } from '../errors.js'
import { checkShape, type JsonLimits } from './json-shape.js'
import { findJsonSyntaxError } from './json-syntax-error.js'

/**
 * Parses the bytes of a JSON body. Members named `__proto__` are removed at every depth, so that
 * copying a body can never change a prototype.
 *
 * @throws `malformed_json` with the position, `nesting_too_deep`, `too_many_values`.
 */
export function parseJsonBytes(bytes: Uint8Array, limits: JsonLimits): unknown {
  checkShape(bytes, limits)
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformedJsonError.create({ reason: findJsonSyntaxError(text) }, { cause: error })
  }
  if (/__proto__|\\u005[fF]/.test(text)) removePrototypeMembers(value)
  return value
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw malformedJsonError.create({ reason: 'it is not valid UTF-8' }, { cause: error })
  }
}

function removePrototypeMembers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const member of Object.values(value)) removePrototypeMembers(member)
}
