import type { JsonValue } from '@agent-service/sdk'
import { formatPath } from './dotted-path.js'
import { variableFor } from './environment-names.js'
import { choicesOf, type SchemaNode } from './schema-node.js'

/** One field of the configuration, for people. */
export interface FieldRow {
  readonly path: string
  readonly variable: string
  readonly type: string
  /** As it would stand in the file; empty where the field has none. A path default is its template; a secret's is not shown. */
  readonly default: string
  readonly unit: string
  readonly secret: boolean
  readonly description: string
}

/** Every field below a schema, in its order. Maps are listed by their entries as `<name>`. */
export function fieldRows(node: SchemaNode, path: readonly string[] = []): readonly FieldRow[] {
  if (node.type === 'object' && node.properties !== undefined)
    return Object.entries(node.properties).flatMap(([name, member]) => fieldRows(member, [...path, name]))
  const entries = Object.values(node.patternProperties ?? {}).filter((entry) => entry.properties !== undefined)
  if (entries.length > 0) return entries.flatMap((entry) => fieldRows(entry, [...path, '<name>']))
  return [
    {
      path: formatPath(path),
      variable: variableFor(path),
      type: typeOf(node),
      default: defaultText(node),
      unit: node['x-unit'] ?? '',
      secret: node['x-secret'] ?? false,
      description: [node.description ?? '', node['x-no-effect'] === undefined ? '' : `No effect yet: ${node['x-no-effect']}`]
        .join(' ')
        .trim(),
    },
  ]
}

function defaultText(node: SchemaNode): string {
  if (node.default === undefined) return node['x-default-path'] ?? ''
  return node['x-secret'] ? 'a built-in development value' : textOf(node.default)
}

function typeOf(node: SchemaNode): string {
  const choices = choicesOf(node)
  if (choices) return choices.map(textOf).join(' | ')
  if (node.anyOf) return node.anyOf.map(typeOf).join(' | ')
  if (node.type === 'array') return `list of ${typeOf(node.items ?? {})}`
  const { minimum, maximum } = node
  const range = [...(minimum === undefined ? [] : [`from ${minimum}`]), ...(maximum === undefined ? [] : [`to ${maximum}`])].join(' ')
  return `${node.type ?? 'any'}${range === '' ? '' : ` ${range}`}`
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
