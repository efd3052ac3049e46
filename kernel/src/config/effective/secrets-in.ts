import type { JsonValue } from '@agent-service/sdk'
import { type Environment, replaceReferences, variableValue } from '../read/expand-references.js'
import { referencesIn } from '../read/references.js'
import { isObject, memberSchema, objectVariant, type SchemaNode } from '../schema/schema-node.js'
import type { Examination } from './examination.js'

/**
 * Every secret text in a value, by the schema's annotations, with what the references in it stand for now. Each once. A built-in default is
 * none: everyone can read it.
 */
export function secretsIn(schema: SchemaNode, value: JsonValue, environment: Environment): readonly string[] {
  const found = new Set<string>()
  collect(schema, value, false, environment, found)
  return [...found]
}

/** {@link secretsIn} of everything that a configuration says, also where it does not hold. */
export const secretsOf = ({ schema, evaluation, environment }: Examination): readonly string[] =>
  secretsIn(schema, evaluation.values, environment)

function collect(node: SchemaNode, value: JsonValue, secret: boolean, environment: Environment, found: Set<string>): void {
  const isSecret = secret || node['x-secret'] === true || (node.anyOf?.some((variant) => variant['x-secret']) ?? false)
  if (typeof value === 'string') {
    if (!isSecret || value === '' || value === node.default) return
    const names = referencesIn(value)
    const resolved = names.length === 0 ? value : replaceReferences(value, environment)
    found.add(resolved)
    found.add(passwordIn(resolved))
    for (const name of names) found.add(variableValue(environment, name) ?? '')
    found.delete('')
  } else if (Array.isArray(value)) for (const item of value) collect(node.items ?? {}, item, isSecret, environment, found)
  else if (isObject(value)) {
    const target = objectVariant(node)
    for (const [name, member] of Object.entries(value))
      collect(memberSchema(target, name, value) ?? {}, member, isSecret, environment, found)
  }
}

/** The password of an address, which drivers tell apart from the rest; empty where there is none. */
function passwordIn(text: string): string {
  if (!URL.canParse(text)) return ''
  const { password } = new URL(text)
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
