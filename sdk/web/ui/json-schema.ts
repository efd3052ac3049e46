/** The part of JSON Schema that forms know. Everything else is edited as JSON. */
export interface FormSchema {
  /** `null` beside another type: the field may be left empty, and is then null. */
  readonly type?: string | readonly string[]
  /** The label of the field; without one, the name of the property in words. */
  readonly title?: string
  /** The help below the field. */
  readonly description?: string
  /** Texts to choose from. With values of other kinds it has no effect here; the service checks them. */
  readonly enum?: readonly unknown[]
  /** One text of a choice that is an `anyOf` of constants. */
  readonly const?: unknown
  /** A choice of constants, or a type beside null. Others are edited as JSON. */
  readonly anyOf?: readonly FormSchema[]
  /** The fields of an object, in their order. Without them the object is edited as JSON. */
  readonly properties?: Readonly<Record<string, FormSchema>>
  /** The names of the properties that must be filled in. */
  readonly required?: readonly string[]
  /** Of an array: of texts, it is a field with one in each line; of others, JSON. */
  readonly items?: FormSchema
  /** `password`: a secret. `multiline`: several lines. Others have no effect. */
  readonly format?: string
  /** Shown in an empty field, and never sent: the service fills it in. */
  readonly default?: unknown
  /** The smallest number. */
  readonly minimum?: number
  /** The largest number. */
  readonly maximum?: number
  /** In UTF-16 code units. */
  readonly minLength?: number
  /** In UTF-16 code units. Beyond 500, a text without a format has several lines. */
  readonly maxLength?: number
  /** A regular expression that must occur in the text. */
  readonly pattern?: string
  /** Never shown again once it is saved: a secret. */
  readonly writeOnly?: boolean
  /** How plugins mark secrets in their forms. */
  readonly 'x-secret'?: boolean
}

/** How a value is edited. */
export type Control = 'text' | 'secret' | 'lines' | 'number' | 'boolean' | 'choice' | 'list' | 'group' | 'json'

/** The control for a schema. `null` beside another type means: may be left empty. */
export function controlOf(schema: FormSchema): Control {
  const plain = withoutNull(schema)
  if (choicesOf(plain).length > 0) return 'choice'
  switch (plain.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      if (plain.writeOnly || plain['x-secret'] || plain.format === 'password') return 'secret'
      // Without a format, a text that may be long is written in several lines.
      return plain.format === 'multiline' || (plain.format === undefined && (plain.maxLength ?? 0) > 500) ? 'lines' : 'text'
    case 'array':
      return plain.items?.type === 'string' && choicesOf(plain.items).length === 0 ? 'list' : 'json'
    case 'object':
      return plain.properties ? 'group' : 'json'
    default:
      return 'json'
  }
}

export const mayBeNull = (schema: FormSchema): boolean =>
  (Array.isArray(schema.type) && schema.type.includes('null')) || (schema.anyOf?.some(({ type }) => type === 'null') ?? false)

/** The schema of the value that is not null. */
export function withoutNull(schema: FormSchema): FormSchema {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly string[]).filter((type) => type !== 'null')
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = others
  return others.length === 1 && only ? { ...only, ...(schema.description !== undefined && { description: schema.description }) } : schema
}

/** The values of a choice: an `enum`, or an `anyOf` of constants. */
export function choicesOf(schema: FormSchema): readonly string[] {
  if (schema.enum?.every((value) => typeof value === 'string')) return schema.enum as readonly string[]
  const constants = schema.anyOf?.map(({ const: value }) => value) ?? []
  return constants.length > 0 && constants.every((value) => typeof value === 'string') ? (constants as readonly string[]) : []
}

/** What is wrong with a value, as the key of a text and its values; `undefined` if it fits. */
export function problemOf(
  schema: FormSchema,
  value: unknown,
  required: boolean,
):
  | { readonly key: 'required' | 'too_small' | 'too_large' | 'too_short' | 'too_long' | 'pattern' | 'integer'; readonly limit: number }
  | undefined {
  const plain = withoutNull(schema)
  if (value === undefined || value === null || value === '')
    return required && !mayBeNull(schema) ? { key: 'required', limit: 0 } : undefined
  if (typeof value === 'number') {
    if (plain.type === 'integer' && !Number.isInteger(value)) return { key: 'integer', limit: 0 }
    if (plain.minimum !== undefined && value < plain.minimum) return { key: 'too_small', limit: plain.minimum }
    if (plain.maximum !== undefined && value > plain.maximum) return { key: 'too_large', limit: plain.maximum }
  }
  if (typeof value === 'string') {
    if (plain.minLength !== undefined && value.length < plain.minLength) return { key: 'too_short', limit: plain.minLength }
    if (plain.maxLength !== undefined && value.length > plain.maxLength) return { key: 'too_long', limit: plain.maxLength }
    if (plain.pattern !== undefined && !new RegExp(plain.pattern).test(value)) return { key: 'pattern', limit: 0 }
  }
  return undefined
}

/** `max_retries` as `Max retries`, where a schema has no title. */
export const labelOf = (name: string, schema: FormSchema): string => {
  if (schema.title !== undefined) return schema.title
  const words = name.replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
