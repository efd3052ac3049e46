import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Problem } from './errors.js'

const compiled = new WeakMap<object, Validator>()

/**
 * Checks a value against a schema, built with `Type` or parsed from JSON. Empty when it holds; else every problem, each with the path of what is
 * wrong (`/items/0/name` as a JSON pointer, `/` for the whole) and what was expected. The value is not changed: no defaults, no conversions.
 */
export function validate(schema: TSchema, value: unknown): readonly Problem[] {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return []
  const problems = new Map<string, string[]>()
  for (const error of validator.Errors(value)) {
    for (const problem of problemsOf(error)) {
      const messages = problems.get(problem.path) ?? []
      if (!messages.includes(problem.message)) messages.push(problem.message)
      problems.set(problem.path, messages)
    }
  }
  return [...problems].map(([path, messages]) => ({ path, message: messages.join(', or ') }))
}

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

interface ValidationError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

/** One error of the validator in our words. The validator reports what a closed object or a union refuses twice; the vaguer of the two is left out. */
function problemsOf(error: ValidationError): readonly Problem[] {
  const params = error.params as {
    readonly requiredProperties?: readonly string[]
    readonly additionalProperties?: readonly string[]
    readonly allowedValue?: unknown
  }
  const path = error.instancePath === '' ? '/' : error.instancePath
  switch (error.keyword) {
    case 'required':
      return (params.requiredProperties ?? []).map((name) => ({
        path: `${error.instancePath}/${escapeSegment(name)}`,
        message: 'is required',
      }))
    case 'additionalProperties':
      return (params.additionalProperties ?? []).map((name) => ({
        path: `${error.instancePath}/${escapeSegment(name)}`,
        message: 'is not known here',
      }))
    case 'const':
      return [{ path, message: `must be ${JSON.stringify(params.allowedValue)}` }]
    case 'boolean':
    case 'anyOf':
      return []
    default:
      return [{ path, message: error.message }]
  }
}

const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
