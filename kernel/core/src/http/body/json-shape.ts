import { nestingTooDeepError, tooManyValuesError } from '../errors.js'

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
export function checkShape(bytes: Uint8Array, { maxDepth, maxValues }: JsonLimits): void {
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
