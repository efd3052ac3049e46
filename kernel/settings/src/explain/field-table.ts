import { choicesOf, formatPath, type SchemaNode, variableFor } from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'

/** One field of the configuration, for people. */
export interface FieldRow {
  readonly path: string
  readonly variable: string
  readonly type: string
  /**
   * As it would be written in the file; empty without one. A path default is its template; a
   * secret's is not shown.
   */
  readonly default: string
  /**
   * What applies without a value and a default, in a few words: `provider default`. Empty if
   * nothing does.
   */
  readonly absent: string
  /** It has to be set, in the file or in the environment. */
  readonly required: boolean
  readonly unit: string
  readonly secret: boolean
  readonly description: string
}

/**
 * Every field below a schema, in its order, without removed ones. Entries of maps are listed as
 * `<name>`.
 */
export function fieldRows(node: SchemaNode, path: readonly string[] = [], required = false): readonly FieldRow[] {
  if (node['x-removed'] !== undefined) return []
  if (node.type === 'object' && node.properties !== undefined)
    return Object.entries(node.properties).flatMap(([name, member]) =>
      fieldRows(member, [...path, name], node.required?.includes(name) && !hasDefault(member)),
    )
  const entries = Object.values(node.patternProperties ?? {}).filter((entry) => entry.properties !== undefined)
  if (entries.length > 0) return entries.flatMap((entry) => fieldRows(entry, [...path, '<name>']))
  return [
    {
      path: formatPath(path),
      variable: variableFor(path, { isMap: path[1] === '<name>' }),
      type: typeOf(node),
      default: defaultText(node),
      absent: node.default === undefined ? (node['x-default-text'] ?? '') : '',
      required,
      unit: node['x-unit'] ?? '',
      secret: node['x-secret'] ?? false,
      description: [node.description ?? '', node['x-no-effect'] === undefined ? '' : `No effect yet: ${node['x-no-effect']}`]
        .join(' ')
        .trim(),
    },
  ]
}

const hasDefault = (node: SchemaNode): boolean => node.default !== undefined || node['x-default-path'] !== undefined

function defaultText(node: SchemaNode): string {
  if (node.default === undefined) return node['x-default-path'] ?? ''
  return node['x-secret'] ? (node['x-default-text'] ?? 'a built-in value') : textOf(node.default)
}

/**
 * The type of a field in words: `integer from 0 to 65535`, `list of string`, the choices of a
 * choice.
 */
export function typeOf(node: SchemaNode): string {
  const choices = choicesOf(node)
  if (choices) return choices.map(textOf).join(' | ')
  if (node.anyOf) return node.anyOf.map(typeOf).join(' | ')
  if (node.type === 'array') return `list of ${typeOf(node.items ?? {})}`
  const { minimum, exclusiveMinimum, maximum } = node
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`over ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ]
  return [node.type ?? 'any', ...bounds].join(' ')
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
