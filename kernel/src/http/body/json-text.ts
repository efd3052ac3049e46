import { malformedJsonError, nestingTooDeepError } from '../errors.js'
import { findJsonMistake } from './json-mistake.js'

/**
 * Parses the bytes of a JSON body. Members named `__proto__` are left out at every depth, so that copying a body can never change a prototype.
 *
 * @throws `malformed_json` with the position, `nesting_too_deep`.
 */
export function parseJsonBytes(bytes: Uint8Array, maximumDepth: number): unknown {
  const text = decodeUtf8(bytes)
  if (isDeeperThan(text, maximumDepth)) throw nestingTooDeepError.create({ limit: maximumDepth })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformedJsonError.create({ reason: findJsonMistake(text) }, { cause: error })
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

/** Counts brackets outside of strings; right for every text that parses, and cheap enough to ask before parsing. */
function isDeeperThan(text: string, maximum: number): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = endOfString(text, index)
        break
      case 0x5b:
      case 0x7b:
        depth++
        if (depth > maximum) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
    }
  }
  return false
}

/** The index of the quote that ends the string beginning at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

function removePrototypeMembers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const member of Object.values(value)) removePrototypeMembers(member)
}
