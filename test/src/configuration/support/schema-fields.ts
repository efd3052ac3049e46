import type { TestConfiguration } from '@agent-service/kernel/testing'

/** A node of the composed schema. */
export type Schema = NonNullable<TestConfiguration['schema']>

/** One field of the composed schema. */
export interface SchemaField {
  readonly node: Schema
  readonly required: boolean
}

/** What stands for any key of a section that is a map. */
const keyNames: Readonly<Record<string, string>> = { providers: '<handle>', models: '<group>' }

/**
 * Every field below a schema by its dotted path, without those that are gone and those that
 * extensions add.
 */
export function fieldsOf(schema: Schema): ReadonlyMap<string, SchemaField> {
  const fields = new Map<string, SchemaField>()
  collect(schema, [], true, fields)
  return fields
}

function collect(node: Schema, path: readonly string[], required: boolean, fields: Map<string, SchemaField>): void {
  const [section = ''] = path
  const entry = Object.values(node.patternProperties ?? {})[0]
  // The settings of plugins are fields of those plugins.
  const isLeaf = path.join('.') === 'plugins.settings' || node['x-removed'] !== undefined
  if (!isLeaf && node.properties !== undefined)
    for (const [name, member] of Object.entries(node.properties))
      collect(member, [...path, name], (node.required ?? []).includes(name), fields)
  else if (!isLeaf && path.length === 1 && entry !== undefined) collect(entry, [...path, keyNames[section] ?? '<key>'], true, fields)
  else if (node['x-removed'] === undefined) fields.set(path.join('.'), { node, required })
}

/**
 * What plugins add to a model group for one protocol, by dotted path; empty where they add nothing.
 */
export function typedPropertiesOf(schema: Schema, protocol: string): ReadonlyMap<string, SchemaField> {
  const group = Object.values(schema.properties?.['models']?.patternProperties ?? {})[0]
  const extension = group?.['x-extensions']?.[protocol]
  return extension === undefined ? new Map() : fieldsOf(extension)
}

/** The schema's type in the words of the specification. */
export function typeOf(node: Schema): string {
  if (choicesOf(node)) return 'string'
  switch (node.type) {
    case 'number':
      return 'float'
    case 'array':
      return `list of ${typeOf(node.items ?? {})}s`
    default:
      return node.type ?? 'any'
  }
}

/** The texts that a field is one of; `undefined` where it takes others. */
export function choicesOf(node: Schema): readonly unknown[] | undefined {
  if (node.const !== undefined) return [node.const]
  const choices = node.anyOf?.map((variant) => variant.const)
  return choices?.every((choice) => typeof choice === 'string') ? choices : undefined
}
