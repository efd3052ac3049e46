import type { JsonValue } from '@agent-service/sdk'
import { type Environment, referencesIn, replaceReferences, variableValue } from './expand-references.js'
import { isObject, memberSchema, type SchemaNode } from './schema-node.js'

/** Every secret text in a value, by the schema's annotations, with what the references in it stand for now. Each once. */
export function secretsIn(schema: SchemaNode, value: JsonValue, environment: Environment): readonly string[] {
  const found = new Set<string>()
  collect(schema, value, false, environment, found)
  return [...found]
}

function collect(node: SchemaNode, value: JsonValue, secret: boolean, environment: Environment, found: Set<string>): void {
  const isSecret = secret || node['x-secret'] === true || (node.anyOf?.some((variant) => variant['x-secret']) ?? false)
  if (typeof value === 'string') {
    if (!isSecret || value === '') return
    const names = referencesIn(value)
    if (names.length === 0) found.add(value)
    else found.add(replaceReferences(value, environment))
    for (const name of names) found.add(variableValue(environment, name) ?? '')
    found.delete('')
  } else if (Array.isArray(value)) for (const item of value) collect(node.items ?? {}, item, isSecret, environment, found)
  else if (isObject(value)) {
    const target = node.anyOf?.find((variant) => variant.type === 'object') ?? node
    for (const [name, member] of Object.entries(value))
      collect(memberSchema(target, name, value) ?? {}, member, isSecret, environment, found)
  }
}
