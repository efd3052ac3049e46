import type { TObject } from '@agent-service/sdk'
import { type Static, validate } from '@agent-service/sdk'

/**
 * The value of a schema. The annotation spares the compiler a comparison of all schemas that there
 * could be.
 */
export type Submission<in out Schema extends TObject> = { [Name in keyof Static<Schema>]: Static<Schema>[Name] }

/** What a model's text is as a submission. */
export type Parsed<Value> = { readonly value: Value } | { readonly problems: readonly string[] }

/** The most text of one submission. */
const maxLength = 400_000

/** Reads one JSON value, also between the lines of a code block, and holds it to its schema. */
export function parseSubmission<Schema extends TObject>(text: string, schema: Schema): Parsed<Submission<Schema>> {
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
    ? { value: value as Submission<Schema> }
    : { problems: problems.map(({ path, message }) => `${path} ${message}`) }
}
