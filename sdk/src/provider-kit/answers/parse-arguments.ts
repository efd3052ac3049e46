import type { JsonObject } from '../../core/json.js'
import { isObject, parseJson } from '../common/json.js'
import { createArgumentsJoiner } from './join-arguments.js'

/**
 * The arguments of a call that ended, from the joined text of its pieces: an object, or the text if
 * it is not one. An empty text and a bare `null` mean no arguments; an object that was written as a
 * JSON string counts as the object; an empty value before the arguments and a repetition of them are
 * dropped.
 */
export function parseArguments(text: string): { readonly arguments: JsonObject } | { readonly invalid: string } {
  if (text.trim() === '') return { arguments: {} }
  const parsed = parseJson(text) ?? parseJson(joined(text))
  const value = typeof parsed === 'string' ? parseJson(parsed) : parsed
  if (value === null) return { arguments: {} }
  return isObject(value) ? { arguments: value } : { invalid: text }
}

const joined = (text: string): string => {
  const joiner = createArgumentsJoiner()
  joiner.add(text)
  return joiner.text
}
