import { type TSchema, validate } from '@agent-service/sdk'
import { withDefaults } from '../request/query-values.js'
import { parseJsonBytes } from './json-text.js'
import type { ReadJson } from './json-worker.js'

/** Parses, fills in defaults and validates, all at once. @throws `malformed_json`, `nesting_too_deep` */
export function readJsonBytes(bytes: Uint8Array, schema: TSchema, maximumDepth: number): ReadJson {
  const body = withDefaults(schema, parseJsonBytes(bytes, maximumDepth))
  return { body, problems: validate(schema, body) }
}
