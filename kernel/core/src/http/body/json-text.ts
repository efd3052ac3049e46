import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { malformedJsonError, nestingTooDeepError, tooManyValuesError } from '../errors.js'

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
  // Each of its letters may be written as an escape.
  if (/__proto__|\\u00[567]/.test(text)) removePrototypeMembers(value)
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

/** Limits of a JSON body's structure. */
export interface JsonLimits {
  /** Levels of nesting. */
  readonly maxDepth: number
  /** Items, members, lists and objects, all together. */
  readonly maxValues: number
}

const quote = 0x22
const backslash = 0x5c

/**
 * Checks the bytes of a JSON text against the limits before it is parsed: `JSON.parse` has none,
 * and running out of memory ends the process. It counts the brackets and commas outside strings,
 * which is exact for every text that parses.
 *
 * @throws `nesting_too_deep`, `too_many_values`
 */
function checkShape(bytes: Uint8Array, { maxDepth, maxValues }: JsonLimits): void {
  let depth = 0
  let values = 1
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
      continue
    }
    switch (byte) {
      case quote:
        inString = true
        break
      case 0x5b: // [
      case 0x7b: // {
        values++
        if (++depth > maxDepth) throw nestingTooDeepError.create({ limit: maxDepth })
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        values++
        break
    }
    if (values > maxValues) throw tooManyValuesError.create({ limit: maxValues })
  }
}

/** The parser's error codes in words for the author of the text. */
const expectations: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'expected a value or a name in double quotes',
  PropertyNameExpected: 'expected a member name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected “:”',
  CommaExpected: 'expected “,” or the end of the list or object',
  CloseBraceExpected: 'expected “}”',
  CloseBracketExpected: 'expected “]”',
  EndOfFileExpected: 'expected nothing after the value',
  InvalidCommentToken: 'expected no comment',
  UnexpectedEndOfNumber: 'expected a complete number',
}
/** In longer texts the search would take seconds and hundreds of megabytes. */
const maxSearched = 4 * 1024 * 1024
const incompleteString = 'expected a complete string with valid escapes and no line breaks'

/**
 * Where and why a text that `JSON.parse` refused is not JSON, in words for its author: `expected
 * “,” or the end of the list or object at line 3, column 7 (position 41)`. The text itself is not
 * repeated. Nesting takes call stack, so it must be bounded before.
 */
export function findJsonSyntaxError(text: string): string {
  if (text.length > maxSearched) return 'it cannot be parsed (the position is only determined in texts of up to 4 MiB)'
  let found: string | undefined
  const onError = (code: ParseErrorCode, offset: number): never => {
    found = describe(text, code, offset)
    throw new Error(found)
  }
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (found === undefined) throw error
  }
  return found ?? 'it cannot be parsed'
}

function describe(text: string, code: ParseErrorCode, offset: number): string {
  const before = text.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  const place = `at line ${before.split('\n').length}, column ${column} (position ${offset})`
  const expectation = expectations[printParseErrorCode(code)] ?? incompleteString
  return offset < text.length ? `${expectation} ${place}` : `the text ends ${place}, ${expectation}`
}
