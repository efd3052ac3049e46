import type { JsonObject, JsonValue, TSchema } from '@agent-service/sdk'
import type { ValuePath } from './dotted-path.js'

/**
 * The part of JSON Schema that configuration schemas use, as plain data, with the annotations of
 * the SDK.
 */
export interface SchemaNode {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaNode
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly const?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly default?: JsonValue
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly JsonValue[]
  readonly 'x-secret'?: boolean
  readonly 'x-harmless'?: boolean
  readonly 'x-unit'?: string
  readonly 'x-path'?: boolean
  readonly 'x-default-path'?: string
  readonly 'x-expand'?: 'at-use' | 'never'
  readonly 'x-no-effect'?: string
  readonly 'x-set-up'?: boolean
  /**
   * The value stays in the file also where it is the default: writing it says more than leaving it
   * out. Only in the kernel's own sections.
   */
  readonly 'x-written'?: boolean
  readonly 'x-removed'?: string
  readonly 'x-default-text'?: string
  /**
   * Planned choices, refused until they exist, each with the reason. Only in the kernel's own
   * sections.
   */
  readonly 'x-planned'?: Readonly<Record<string, string>>
  readonly 'x-extension-place'?: string
  readonly 'x-variant-member'?: string
  readonly 'x-variant-aliases'?: Readonly<Record<string, string>>
  readonly 'x-known-keys'?: readonly string[]
  /** Added by the composition: the members that plugins add to this open place, by variant. */
  readonly 'x-extensions'?: Readonly<Record<string, SchemaNode>>
}

export const plainSchema = (schema: TSchema): SchemaNode => JSON.parse(JSON.stringify(schema)) as SchemaNode

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const compiled = new Map<string, RegExp>()

/** A pattern of a schema, compiled once. */
export function patternOf(source: string): RegExp {
  let pattern = compiled.get(source)
  if (!pattern) {
    pattern = new RegExp(source, 'u')
    compiled.set(source, pattern)
  }
  return pattern
}

/** An own member; `undefined` also for members of the prototype. */
export const own = <T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined

/** The variant of a union for objects; the schema itself if it is not a union. */
export const objectVariant = (node: SchemaNode): SchemaNode => node.anyOf?.find((variant) => variant.type === 'object') ?? node

export const isSecret = (node: SchemaNode): boolean =>
  node['x-secret'] === true || (node.anyOf?.some((variant) => variant['x-secret'] === true) ?? false)

/** The variant that an object at an open place has chosen, aliases resolved. */
export function variantOf(node: SchemaNode, value: JsonValue | undefined): string | undefined {
  const member = node['x-variant-member']
  const chosen = member !== undefined && isObject(value) ? own(value, member) : undefined
  return typeof chosen === 'string' ? (own(node['x-variant-aliases'], chosen) ?? chosen) : undefined
}

/**
 * The schema of a member of an object. `value` is the object, as far as known: at an open place it
 * decides which variant's member it is. `undefined` for an unknown member.
 */
export const memberSchema = (node: SchemaNode, name: string, value: JsonValue | undefined): SchemaNode | undefined =>
  namedMember(node, name) ?? extensionMember(node, name, value) ?? unnamedMember(node)

/** The same without members of extensions. */
export const declaredMember = (node: SchemaNode, name: string): SchemaNode | undefined => namedMember(node, name) ?? unnamedMember(node)

function namedMember(node: SchemaNode, name: string): SchemaNode | undefined {
  const declared = own(node.properties, name)
  if (declared) return declared
  for (const pattern in node.patternProperties) if (patternOf(pattern).test(name)) return node.patternProperties[pattern]
  return undefined
}

const anything: SchemaNode = Object.freeze({})

function unnamedMember(node: SchemaNode): SchemaNode | undefined {
  if (typeof node.additionalProperties === 'object') return node.additionalProperties
  return isOpen(node) ? anything : undefined
}

/** The schema of a member that extensions add: the chosen variant's, else the first one with it. */
export function extensionMember(node: SchemaNode, name: string, value: JsonValue | undefined): SchemaNode | undefined {
  const extensions = node['x-extensions']
  if (!extensions) return undefined
  const variant = variantOf(node, value)
  const chosen = variant === undefined ? undefined : own(extensions, variant)
  return own(chosen?.properties, name) ?? Object.values(extensions).find((extension) => own(extension.properties, name))?.properties?.[name]
}

/**
 * True if members without a keyword are allowed. A map with patterns for its keys is closed to
 * other keys.
 */
export function isOpen(node: SchemaNode): boolean {
  if (node.additionalProperties !== undefined) return node.additionalProperties !== false
  return node.patternProperties === undefined
}

/** Names of all members that an object may have or once had, including those of all extensions. */
export function memberNames(node: SchemaNode): readonly string[] {
  const extended = Object.values(node['x-extensions'] ?? {}).flatMap((extension) => Object.keys(extension.properties ?? {}))
  return [...new Set([...Object.keys(node.properties ?? {}), ...extended])]
}

export const takesAnything = (node: SchemaNode): boolean =>
  node.type === undefined && node.anyOf === undefined && node.const === undefined && node.enum === undefined

/** The texts of a choice among constants; `undefined` if the schema is not a choice. */
export function choicesOf(node: SchemaNode): readonly JsonValue[] | undefined {
  if (node.enum) return node.enum
  if (node.const !== undefined) return [node.const]
  const choices = node.anyOf?.map(choicesOf)
  return choices?.every((choice) => choice !== undefined) ? choices.flat() : undefined
}

/** True if an object's member is optional and has no default. */
export const isUnset = (parent: SchemaNode, name: string, member: SchemaNode): boolean =>
  !(parent.required ?? []).includes(name) && member.default === undefined && member['x-default-path'] === undefined

/**
 * A deep copy of JSON. `structuredClone` takes ten times as long, because it supports more than
 * JSON.
 */
export function cloneJson<Value extends JsonValue>(value: Value): Value
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => cloneJson(item))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cloneJson(member)]))
}

/** A text in a value, and the schema's statements about it. */
interface PlacedText {
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
