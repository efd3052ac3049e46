import type { TSchema } from '@agent-service/sdk'
import { type Static, validate } from '@agent-service/sdk'

/** What a model's text is as a submission. */
export type Parsed<Value> = { readonly value: Value } | { readonly problems: readonly string[] }

/** The most text of one submission. */
const maxLength = 400_000

/** Reads one JSON value, also between the lines of a code block, and holds it to its schema. */
export function parseSubmission<Schema extends TSchema>(text: string, schema: Schema): Parsed<Static<Schema>> {
  if (text.length > maxLength) return { problems: [`The answer has more than ${maxLength} characters.`] }
  const trimmed = text.trim()
  const block = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(trimmed)
  let value: unknown
  try {
    value = JSON.parse(block?.[1] ?? trimmed)
  } catch {
    return { problems: ['The answer has to be one JSON object and nothing else.'] }
  }
  const problems = validate(schema, value)
  return problems.length === 0
    ? { value: value as Static<Schema> }
    : { problems: problems.map(({ path, message }) => `${path} ${message}`) }
}
