import { type Problem, type TSchema, validate } from '@agent-service/sdk'
import { givenKind, withDefaults } from '../request/query-values.js'
import type { JsonLimits } from './json-text.js'
import { parseJsonBytes } from './json-text.js'

/** A parsed body with defaults filled in, and its problems by the schema. */
export interface ReadJson {
  readonly body: unknown
  readonly problems: readonly Problem[]
  /** What was given in place of what the first problem expects. */
  readonly given?: string | undefined
}

/** How a body is read. */
export interface JsonRules extends JsonLimits {
  readonly schema: TSchema
}

/** Parses, fills in defaults and validates. @throws the errors of {@link parseJsonBytes} */
export function readJson(bytes: Uint8Array, { schema, ...limits }: JsonRules): ReadJson {
  const body = withDefaults(schema, parseJsonBytes(bytes, limits))
  const problems = validate(schema, body)
  return { body, problems, given: givenKind(body, problems[0]) }
}
