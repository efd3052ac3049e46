import type { JsonValue } from '@agent-service/sdk'
import { type Environment, replaceReferences, variableValue } from '../read/expand-references.js'
import { referencesIn } from '../read/references.js'
import type { SchemaNode } from '../schema/schema-node.js'
import { textsIn } from '../schema/schema-node.js'
import type { Examination } from './examination.js'

/**
 * Every secret text in a value, by the schema's annotations, with the current values of its
 * references. Each once. A built-in default is not secret: everyone can read it.
 */
export function secretsIn(schema: SchemaNode, value: JsonValue, environment: Environment): readonly string[] {
  const found = new Set<string>()
  for (const { text, node, isSecret } of textsIn(schema, value)) {
    if (!isSecret || text === node.default) continue
    const resolved = replaceReferences(text, environment)
    const values = referencesIn(text).map((name) => variableValue(environment, name) ?? '')
    for (const secret of [resolved, passwordIn(resolved), ...values]) found.add(secret)
  }
  found.delete('')
  return [...found]
}

/** {@link secretsIn} of a whole configuration, also of invalid values. */
export const secretsOf = ({ schema, evaluation, environment }: Examination): readonly string[] =>
  secretsIn(schema, evaluation.values, environment)

/** The password in an address, which drivers use on its own; empty if there is none. */
function passwordIn(text: string): string {
  if (!URL.canParse(text)) return ''
  const { password } = new URL(text)
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
