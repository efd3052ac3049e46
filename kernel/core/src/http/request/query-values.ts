import { type Problem, type TObject, type TSchema, validate } from '@agent-service/sdk'
import { type HttpRoute, invalidRequestError } from '@agent-service/sdk/contracts/http-route'

/** A schema as plain JSON: it may have been built by another copy of TypeBox, or parsed. */
interface PlainSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly PlainSchema[]
  readonly items?: PlainSchema
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, PlainSchema>>
  readonly additionalProperties?: unknown
}

/** The path parameters and the query, converted and valid. */
export interface RequestValues {
  readonly params: unknown
  readonly query: unknown
}

/**
 * Converts and validates the path parameters and the query. @throws `invalid_request` with every
 * problem.
 */
export function readValues(
  route: Pick<HttpRoute, 'params' | 'query'>,
  params: Readonly<Record<string, string>>,
  pairs: readonly (readonly [string, string])[],
): RequestValues {
  const values = { params: convertParams(route.params, params), query: noValues }
  const wrongParams = route.params ? validate(route.params, values.params) : []
  refuseProblems('params', wrongParams, givenKind(values.params, wrongParams[0]))
  if (pairs.length === 0 && !route.query) return values
  const query = convertQuery(route.query, pairs)
  values.query = query.values
  const problems = route.query ? validate(route.query, query.values) : []
  const doubtful = new Set(query.problems.map(({ path }) => path))
  const all = [...query.problems, ...problems.filter(({ path }) => !doubtful.has(path))]
  refuseProblems('query', all, givenKind(values.query, all[0]))
  return values
}

const noValues: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * @throws `invalid_request` if there are problems; `given` is what was found in place of what the
 * first expects.
 */
export function refuseProblems(where: 'params' | 'query' | 'body', problems: readonly Problem[], given?: string): void {
  if (problems.length > 0)
    throw invalidRequestError.create({ where, ...(given === undefined ? {} : { given }) }, { problems: problems.slice(0, 20) })
}

/** Values converted from text by their schema, with defaults. They still have to be validated. */
export interface ConvertedValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

/**
 * Converts query parameters by their schema: numbers, booleans, lists (a repeated parameter). A
 * repeated parameter that is not a list, or one that the schema does not define, is a problem. A
 * value that cannot be converted stays text, so that the validation refuses it with its reason.
 */
export function convertQuery(schema: TObject | undefined, pairs: readonly (readonly [string, string])[]): ConvertedValues {
  const plain = (schema ?? { properties: {}, additionalProperties: false }) as unknown as PlainSchema
  const properties = plain.properties ?? {}
  const problems: Problem[] = []
  const values = new Map<string, unknown>()
  for (const [name, texts] of grouped(pairs)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) {
      if (plain.additionalProperties === false) problems.push({ path: pointer(name), message: 'is not known here' })
      else values.set(name, texts.at(-1))
    } else if (isList(property)) {
      values.set(
        name,
        texts.map((text) => convertText(property.items ?? {}, text)),
      )
    } else if (texts.length > 1) {
      problems.push({ path: pointer(name), message: 'must not be repeated' })
    } else {
      values.set(name, convertText(property, texts[0] ?? ''))
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!values.has(name) && property.default !== undefined) values.set(name, structuredClone(property.default))
  }
  return { values: Object.fromEntries(values), problems }
}

/** Converts the path parameters. */
export function convertParams(schema: TObject | undefined, params: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  if (!schema) return params
  const { properties = {} } = schema as unknown as PlainSchema
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, convertText(properties[name] ?? {}, text)]))
}

/**
 * A copy of a value with the defaults of its schema for absent members; the value itself if no
 * default applies.
 */
export function withDefaults(schema: TSchema, value: unknown): unknown {
  return fill(schema as unknown as PlainSchema, value)
}

function fill(schema: PlainSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    if (!items || !mayFill(items)) return value
    return value.map((item) => fill(items, item))
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const source = value as Readonly<Record<string, unknown>>
  const changed = new Map<string, unknown>()
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(source, name)) {
      if (property.default !== undefined) changed.set(name, structuredClone(property.default))
    } else {
      const filled = fill(property, source[name])
      if (filled !== source[name]) changed.set(name, filled)
    }
  }
  return changed.size === 0 ? value : { ...source, ...Object.fromEntries(changed) }
}

const mayFill = (schema: PlainSchema): boolean =>
  schema.default !== undefined ||
  (schema.items !== undefined && mayFill(schema.items)) ||
  Object.values(schema.properties ?? {}).some(mayFill)

function grouped(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value])
  return groups
}

const isList = (schema: PlainSchema): boolean => schema.type === 'array'

/** The text converted to the first type of the schema that fits. */
function convertText(schema: PlainSchema, text: string): unknown {
  if (schema.anyOf) {
    for (const option of schema.anyOf) {
      const value = convertText(option, text)
      if (typeof value !== 'string' || allowsText(option, value)) return value
    }
    return text
  }
  switch (schema.type ?? typeof schema.const) {
    case 'integer':
      return /^-?(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
    case 'number':
      return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

const allowsText = (schema: PlainSchema, text: string): boolean =>
  schema.const !== undefined ? schema.const === text : schema.enum ? schema.enum.includes(text) : schema.type === 'string'

const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Expectations of a type or a choice; of other expectations the type of the value says nothing. */
const expectsType = /^must be (?!at |more |less |empty|a multiple )/

/**
 * What was given in place of what a problem expects: `a string`, `a list`. `undefined` if there is
 * nothing, or if the problem is not one of types. Never the value itself.
 */
export function givenKind(value: unknown, problem: Problem | undefined): string | undefined {
  if (!problem || !expectsType.test(problem.message)) return undefined
  const names = problem.path.split('/').slice(1)
  const segments = problem.path === '/' ? [] : names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at = value
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[segment]
  }
  return kindOf(at)
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return String(value)
    case 'object':
      return 'an object'
    default:
      return undefined
  }
}
