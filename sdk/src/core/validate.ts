import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Compile, type Validator } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { Problem } from './errors.js'
import { expectationOf } from './validation-words.js'

/** The most problems that are told of one value. */
const mostProblems = 100

const compiled = new WeakMap<object, Validator>()

/**
 * Checks a value against a schema, built with `Type` or parsed from JSON. Empty when it holds, and only then; else what is wrong, the first 100
 * problems, each with its path (`/items/0/name` as a JSON pointer, `/` for the whole) and what was expected there. The value is not changed: no
 * defaults, no conversions.
 */
export function validate(schema: TSchema, value: unknown): readonly Problem[] {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return []
  const places = new Map<string, Map<string, Set<string>>>()
  for (const error of errorsOf(validator, value)) {
    for (const { path, message } of problemsOf(error)) {
      const alternatives = places.get(path) ?? new Map<string, Set<string>>()
      const alternative = alternativeOf(error)
      places.set(path, alternatives.set(alternative, (alternatives.get(alternative) ?? new Set()).add(message)))
    }
  }
  if (places.size === 0) return [{ path: '/', message: 'does not fit its schema' }]
  return [...places].slice(0, mostProblems).map(([path, alternatives]) => ({ path, message: joinAlternatives(alternatives) }))
}

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** The validator stops at 8 errors unless its settings, which everyone in the process shares, say otherwise; they are as before afterwards. */
function errorsOf(validator: Validator, value: unknown): readonly TLocalizedValidationError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: mostProblems })
  try {
    return validator.Errors(value)[1]
  } finally {
    Settings.Set({ maxErrors })
  }
}

/**
 * One error of the validator as problems. For members that a closed object does not know it tells of each (`boolean`, the schema `false` does
 * not hold), then of all together (`additionalProperties`); for a union of each alternative, then of the whole. The second adds nothing.
 */
function problemsOf(error: TLocalizedValidationError): readonly Problem[] {
  const path = error.instancePath === '' ? '/' : error.instancePath
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties
        .slice(0, mostProblems)
        .map((name) => ({ path: `${error.instancePath}/${escapeSegment(name)}`, message: 'is required' }))
    case 'additionalProperties':
    case 'anyOf':
      return []
    default:
      return [{ path, message: expectationOf(error) }]
  }
}

/** The innermost alternative of a union that an error belongs to; empty outside of unions. */
const alternativeOf = ({ schemaPath }: TLocalizedValidationError): string => /^.*\/(?:anyOf|oneOf)\/\d+/.exec(schemaPath)?.[0] ?? ''

/** What one alternative asks for is all needed; of several alternatives one is enough: `must be "x", "y" or null`. */
function joinAlternatives(alternatives: ReadonlyMap<string, ReadonlySet<string>>): string {
  const messages = [...new Set([...alternatives.values()].map((needed) => [...needed].join(' and ')))]
  const words = 'must be '
  if (messages.length < 2 || !messages.every((message) => message.startsWith(words))) return messages.join(', or ')
  const rest = messages.map((message) => message.slice(words.length))
  return `${words}${rest.slice(0, -1).join(', ')} or ${rest.at(-1)}`
}

const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
