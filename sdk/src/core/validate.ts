import type { TSchema } from 'typebox'
import type { Problem } from './errors.js'
import { searchProblems, validatorOf } from './problem-search.js'

/**
 * Checks a value against a schema, built with `Type` or parsed from JSON. Empty when it holds, and
 * only then; else what is wrong, the first 20 places, each with its path (`/items/0/name` as a JSON
 * pointer, `/` for the whole) and what was expected there. The value is not changed: no defaults,
 * no conversions. A value full of mistakes takes hardly longer than one that holds. A path is cut at
 * 1,000 characters, so that an answer is not longer than what it is about.
 */
export function validate(schema: TSchema, value: unknown): readonly Problem[] {
  if (validatorOf(schema).Check(value)) return []
  return [...searchProblems(schema, value)].map(([path, alternatives]) => ({
    path: cutPath(path),
    message: joinAlternatives(alternatives),
  }))
}

const maxPathLength = 1_000

const cutPath = (path: string): string =>
  path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength).replace(/[\ud800-\udbff]$/, '')}…`

/**
 * What one alternative asks for is all needed; of several alternatives one is enough: `must be "x",
 * "y" or null`.
 */
function joinAlternatives(alternatives: ReadonlyMap<string, ReadonlySet<string>>): string {
  const messages = [...new Set([...alternatives.values()].map((needed) => [...needed].join(' and ')))]
  const words = 'must be '
  if (messages.length < 2 || !messages.every((message) => message.startsWith(words))) return messages.join(', or ')
  const rest = messages.map((message) => message.slice(words.length))
  return `${words}${rest.slice(0, -1).join(', ')} or ${rest.at(-1)}`
}
