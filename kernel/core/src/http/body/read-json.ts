import { findIllFormed, type Problem, type TSchema, validate, wellFormedValue } from '@agent-service/sdk'
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
  /** As the body of a route has it. Default: refused. */
  readonly illFormedTexts?: 'refuse' | 'repair' | undefined
}

/** Parses, fills in defaults and validates. @throws the errors of {@link parseJsonBytes} */
export function readJson(bytes: Uint8Array, { schema, illFormedTexts = 'refuse', ...limits }: JsonRules): ReadJson {
  const parsed = parseJsonBytes(bytes, limits)
  const isSuspect = mayHaveHalves(bytes)
  const body = withDefaults(schema, isSuspect && illFormedTexts === 'repair' ? wellFormedValue(parsed) : parsed)
  const halves = isSuspect && illFormedTexts === 'refuse' ? findIllFormed(body) : []
  if (halves.length > 0) return { body, problems: halves.map((path) => ({ path, message: halfMessage })) }
  const problems = validate(schema, body)
  return { body, problems, given: givenKind(body, problems[0]) }
}

const halfMessage =
  'has half of a surrogate pair (\\ud800 to \\udfff alone), which is no character and cannot be stored. Send whole characters; cut texts between them'

/** UTF-8 cannot encode half a surrogate pair, so only an escape can write one; most bodies have none. */
const mayHaveHalves = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return text.includes('\\ud') || text.includes('\\uD')
}
