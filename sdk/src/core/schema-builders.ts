import type * as TypeBox from 'typebox'

type Members = Readonly<Record<string, unknown>>

/** What TypeBox marks a schema with beside its JSON: not enumerable, so that neither JSON nor a comparison sees it. */
interface Marks {
  readonly '~kind'?: string
  readonly '~optional'?: true
}

const marked = (schema: Members, marks: Marks): Members => {
  for (const [name, value] of Object.entries(marks))
    Object.defineProperty(schema, name, { value, enumerable: false, configurable: true, writable: true })
  return schema
}

const schemaOf = (kind: string, members: Members, options: Members = {}): Members => marked({ ...members, ...options }, { '~kind': kind })

/** The same schema with its marks, and more members. */
const copyOf = (schema: Members, members: Members = {}): Members =>
  Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(members) }) as Members

const kindOf = (schema: Members): unknown => schema['~kind']

const objectOf = (properties: Members, options: Members = {}): Members => {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] as object, '~optional'))
  return schemaOf('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties }, options)
}

const literalOf = (value: unknown, options?: Members): Members => {
  if (!['bigint', 'boolean', 'number', 'string'].includes(typeof value)) throw new TypeError('Invalid Literal value')
  return schemaOf('Literal', { type: typeof value, const: value }, options)
}

/** The patterns that TypeBox gives to keys. */
const keyPatterns: Readonly<Record<string, string>> = {
  Integer: '^-?(?:0|[1-9][0-9]*)$',
  Number: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$',
  String: '^.*$',
}

const flatten = (schema: Members): readonly Members[] =>
  kindOf(schema) === 'Union' ? (schema['anyOf'] as readonly Members[]).flatMap(flatten) : [schema]

/** A map where the key may be any text of a pattern, an object where the keys are known. */
const recordOf = (key: Members, value: Members): Members => {
  const byPattern = (pattern: string): Members => schemaOf('Record', { type: 'object', patternProperties: { [pattern]: value } })
  const byName = (names: readonly unknown[]): Members => objectOf(Object.fromEntries(names.map((name) => [String(name), value])))
  const kind = String(kindOf(key))
  switch (kind) {
    case 'String':
      return byPattern(typeof key['pattern'] === 'string' ? key['pattern'] : String(keyPatterns['String']))
    case 'Integer':
    case 'Number':
      return byPattern(String(keyPatterns[kind]))
    case 'Boolean':
      return byName([true, false])
    case 'Literal':
      return byName([key['const']])
    case 'Union': {
      const members = flatten(key)
      if (members.some((member) => String(kindOf(member)) in keyPatterns)) return byPattern(String(keyPatterns['String']))
      return byName(
        members.filter((member) => kindOf(member) === 'Literal' && typeof member['const'] !== 'boolean').map((member) => member['const']),
      )
    }
    default:
      return byName([])
  }
}

type Name =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'

const simple =
  (kind: string, type: string) =>
  (options?: Members): Members =>
    schemaOf(kind, { type }, options)

/**
 * Builds what TypeBox's functions of the same names build, marks included, without loading TypeBox: its builder comes with the whole of its type
 * calculus, some 370 modules, and every plugin of a service starts through here. A test holds the two against each other.
 */
export const builders = {
  Array: (items: Members, options?: Members) => schemaOf('Array', { type: 'array', items }, options),
  Boolean: simple('Boolean', 'boolean'),
  Integer: simple('Integer', 'integer'),
  Literal: literalOf,
  Null: simple('Null', 'null'),
  Number: simple('Number', 'number'),
  Object: objectOf,
  Optional: (schema: Members) => marked(copyOf(schema), { '~optional': true }),
  Record: (key: Members, value: Members, options?: Members) => copyOf(recordOf(key, value), options),
  String: simple('String', 'string'),
  Union: (anyOf: readonly Members[], options?: Members) => schemaOf('Union', { anyOf }, options),
  Unknown: (options?: Members) => schemaOf('Unknown', {}, options),
} as unknown as Readonly<Pick<typeof TypeBox, Name>>
