import type { TSchema } from 'typebox'

/** A schema as plain JSON: it may have been built by another copy of TypeBox, or parsed. */
interface PlainSchema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly PlainSchema[]
  readonly items?: PlainSchema
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, PlainSchema>>
}

/** Options of {@link fillValues}. */
export interface FillOptions {
  /**
   * Converts texts to the numbers and booleans of their schema, as in a query or a path. Default
   * false.
   */
  readonly convert?: boolean
  /**
   * Creates a missing required object from the defaults of its members, as in a configuration.
   * Default false.
   */
  readonly makeObjects?: boolean
}

/**
 * A copy of a value with the defaults of its schema for absent members. Invalid values stay for the
 * validation.
 */
export function fillValues(schema: TSchema, value: unknown, options: FillOptions = {}): unknown {
  return fill(schema as unknown as PlainSchema, value, options)
}

function fill(schema: PlainSchema, value: unknown, options: FillOptions): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (schema.items ? fill(schema.items, item, options) : item))
  if (typeof value === 'string' && options.convert === true) return converted(schema, value)
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value
  const members = new Map<string, unknown>(Object.entries(value))
  for (const [name, property] of Object.entries(schema.properties)) {
    if (members.has(name)) members.set(name, fill(property, members.get(name), options))
    else if (property.default !== undefined) members.set(name, structuredClone(property.default))
    else if (options.makeObjects === true && property.type === 'object' && schema.required?.includes(name) === true)
      members.set(name, fill(property, {}, options))
  }
  return Object.fromEntries(members)
}

function converted(schema: PlainSchema, text: string): unknown {
  for (const option of schema.anyOf ?? []) {
    const value = converted(option, text)
    if (typeof value !== 'string' || option.const === text) return value
  }
  switch (schema.type ?? typeof schema.const) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}
