import { type Problem, type TSchema, validate } from '@agent-service/sdk'
import { withDefaults } from '../request/query-values.js'
import type { JsonLimits } from './json-shape.js'
import { parseJsonBytes } from './json-text.js'

/** A parsed body with defaults filled in, and its problems by the schema. */
export interface ReadJson {
  readonly body: unknown
  readonly problems: readonly Problem[]
}

/** How a body is read. */
export interface JsonRules extends JsonLimits {
  readonly schema: TSchema
}

/** Parses, fills in defaults and validates. @throws the errors of {@link parseJsonBytes} */
export function readJson(bytes: Uint8Array, { schema, ...limits }: JsonRules): ReadJson {
  const body = withDefaults(schema, parseJsonBytes(bytes, limits))
  return { body, problems: validate(schema, body) }
}
