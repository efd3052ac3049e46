import type { JsonValue } from '@agent-service/sdk'
import type { ValuePath } from './dotted-path.js'
import { isObject, isSecret, memberSchema, objectVariant, type SchemaNode } from './schema-node.js'

/** A text in a value, and the schema's statements about it. */
export interface PlacedText {
  readonly text: string
  readonly path: ValuePath
  readonly node: SchemaNode
  /** It is part of a value that the schema marks as a secret. */
  readonly isSecret: boolean
  /** `${NAME}` is not a reference here. */
  readonly isLiteral: boolean
}

export function* textsIn(
  node: SchemaNode,
  value: JsonValue,
  path: ValuePath = [],
  around = { isSecret: false, isLiteral: false },
): Generator<PlacedText> {
  const isLiteral = node['x-expand'] === undefined ? around.isLiteral : node['x-expand'] === 'never'
  const here = { isSecret: around.isSecret || isSecret(node), isLiteral }
  if (typeof value === 'string') yield { text: value, path, node, ...here }
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(node.items ?? {}, item, [...path, index], here)
  else if (isObject(value)) {
    const target = objectVariant(node)
    for (const [name, member] of Object.entries(value))
      yield* textsIn(memberSchema(target, name, value) ?? {}, member, [...path, name], here)
  }
}
