import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Check, Compile, Errors, type Validator } from 'typebox/schema'
import { suggestion } from './nearest.js'
import { expectationOf } from './validation-words.js'

/** The maximum number of problems of one value. */
const maxPlaces = 20
/** The maximum number of words for them: each alternative of a union adds some. */
const maxMessages = 100
/** The maximum number of suggestions. */
const maxCandidates = 100
/**
 * The validator walks all of a value to find its errors. A schema that has to be left to it as a
 * whole is searched in values of at most so many members.
 */
const maxWalked = 2_000

const unknown = 'is not known here'

type PlainSchema = Readonly<Record<string, unknown>>

/** The problems, by path and by the alternative of a union. */
export type ProblemPlaces = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

interface Search {
  readonly places: Map<string, Map<string, Set<string>>>
  messages: number
}

/**
 * Where a value is looked at: its path as a JSON pointer, empty for the whole, and the innermost
 * alternative of a union that it is held against.
 */
interface Place {
  readonly path: string
  readonly alternative: string
}

/**
 * Finds the first problems of a value that does not fit its schema. What it costs goes with the
 * number of problems that are named, and with what the compiled check of the value costs; not with
 * the number of problems that there are.
 */
export function searchProblems(schema: TSchema, value: unknown): ProblemPlaces {
  const search: Search = { places: new Map(), messages: 0 }
  const place = { path: '', alternative: '' }
  if (hasReferences(schema)) searchWhole(schema as PlainSchema, value, place, search)
  else searchIn(schema, value, place, search)
  if (search.places.size === 0) add(search, '', '', 'does not fit its schema')
  return search.places
}

/** The validator of a schema, compiled once. */
export function validatorOf(schema: object): Validator {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Compile(schema as TSchema)
  compiled.set(schema, validator)
  return validator
}

const compiled = new WeakMap<object, Validator>()

/** Nothing is compiled for the sake of a value that has no members. */
function fits(schema: unknown, value: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return schema !== false
  return typeof value === 'object' && value !== null ? validatorOf(schema).Check(value) : Check(schema as TSchema, value)
}

const isFull = ({ places, messages }: Search): boolean => places.size >= maxPlaces || messages >= maxMessages

function add(search: Search, path: string, alternative: string, message: string): void {
  const at = path === '' ? '/' : path
  const alternatives = search.places.get(at)
  if (!alternatives && search.places.size >= maxPlaces) return
  search.messages += 1
  const known = alternatives ?? new Map<string, Set<string>>()
  search.places.set(at, known.set(alternative, (known.get(alternative) ?? new Set()).add(message)))
}

/** Keywords that lead on to other schemas in a way that {@link searchIn} does not follow. */
const entangled = [
  ...['oneOf', 'not', 'if', 'contains', 'prefixItems', 'additionalItems', 'propertyNames'],
  ...['dependencies', 'dependentSchemas', 'dependentRequired', 'unevaluatedItems', 'unevaluatedProperties'],
]

/**
 * Searches a value that does not fit its schema, member by member: of what fits nothing but the
 * compiled check is asked.
 */
function searchIn(schema: unknown, value: unknown, place: Place, search: Search): void {
  if (isFull(search)) return
  const said = search.messages
  if (typeof schema !== 'object' || schema === null) add(search, place.path, place.alternative, unknown)
  else if (entangled.some((keyword) => keyword in schema) || Array.isArray((schema as PlainSchema)['items'])) {
    searchWhole(schema as PlainSchema, value, place, search)
  } else {
    const { properties, items, anyOf, allOf, ...rest } = schema as PlainSchema
    const { additionalProperties, patternProperties, ...own } = rest
    addErrors('~refine' in schema ? { ...own, '~refine': schema['~refine'] } : own, value, place, search)
    if (Array.isArray(value)) searchItems(items, value, place, search)
    else if (typeof value === 'object' && value !== null)
      searchMembers({ properties, additionalProperties, patternProperties }, value as PlainSchema, place, search)
    if (Array.isArray(allOf)) for (const each of allOf) if (!fits(each, value)) searchIn(each, value, place, search)
    if (Array.isArray(anyOf)) searchAlternatives(anyOf, value, place, search)
  }
  if (search.messages === said) add(search, place.path, place.alternative, 'does not fit its schema')
}

function searchItems(items: unknown, values: readonly unknown[], place: Place, search: Search): void {
  if (items === undefined) return
  for (const [index, value] of values.entries()) {
    if (isFull(search)) return
    if (!fits(items, value)) searchIn(items, value, { ...place, path: `${place.path}/${index}` }, search)
  }
}

function searchMembers(
  { properties, additionalProperties, patternProperties }: Readonly<Record<string, unknown>>,
  value: PlainSchema,
  place: Place,
  search: Search,
): void {
  const known = (properties ?? {}) as PlainSchema
  const patterns = Object.entries((patternProperties ?? {}) as PlainSchema).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), schema] as const,
  )
  const searchMember = (name: string, schema: unknown): void => {
    if (!fits(schema, value[name])) searchIn(schema, value[name], { ...place, path: `${place.path}/${escapeSegment(name)}` }, search)
  }
  for (const [name, schema] of Object.entries(known)) {
    if (isFull(search)) return
    if (Object.hasOwn(value, name) && value[name] !== undefined) searchMember(name, schema)
  }
  if (additionalProperties === undefined && patterns.length === 0) return
  for (const name of Object.keys(value)) {
    if (isFull(search)) return
    const matching = patterns.filter(([pattern]) => pattern.test(name))
    for (const [, schema] of matching) searchMember(name, schema)
    if (matching.length > 0 || Object.hasOwn(known, name) || additionalProperties === undefined) continue
    if (additionalProperties === false) addUnknown(search, place, name, Object.keys(known))
    else searchMember(name, additionalProperties)
  }
}

function addUnknown(search: Search, { path, alternative }: Place, name: string, known: readonly string[]): void {
  // What one alternative does not know another may ask for.
  const near = alternative === '' ? suggestion(name, known.slice(0, maxCandidates)) : ''
  add(search, `${path}/${escapeSegment(name)}`, alternative, `${unknown}${near}`)
}

/**
 * One alternative would be enough; if none fits, each problem says what its alternative asks
 * for. Where a constant member distinguishes the alternatives, only the one that the value names is
 * searched.
 */
function searchAlternatives(alternatives: readonly unknown[], value: unknown, place: Place, search: Search): void {
  if (alternatives.some((each) => fits(each, value))) return
  const constants = alternatives.map(constantOf)
  if (constants.length > 0 && constants.every(isConstant)) {
    addChoice(search, place, constants, value)
    return
  }
  const name = typeof value === 'object' && value !== null ? discriminatorOf(alternatives) : undefined
  if (name !== undefined) {
    const given = (value as PlainSchema)[name]
    const choices = alternatives.map((each) => constantOf(propertiesOf(each)[name])).filter(isConstant)
    const named = isConstant(given) ? choices.indexOf(given) : -1
    if (named >= 0) searchIn(alternatives[named], value, place, search)
    else addChoice(search, { ...place, path: `${place.path}/${escapeSegment(name)}` }, choices, given)
    return
  }
  for (const [index, each] of alternatives.entries())
    searchIn(each, value, { ...place, alternative: `${place.alternative}/${place.path}#${index}` }, search)
}

type Constant = string | number | boolean

const isConstant = (value: unknown): value is Constant => ['string', 'number', 'boolean'].includes(typeof value)

const constantOf = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null ? (schema as PlainSchema)['const'] : undefined

const propertiesOf = (schema: unknown): PlainSchema =>
  ((typeof schema === 'object' && schema !== null ? (schema as PlainSchema)['properties'] : undefined) ?? {}) as PlainSchema

/** The member whose constant differs in every alternative: `kind`, `type`. */
function discriminatorOf(alternatives: readonly unknown[]): string | undefined {
  return Object.keys(propertiesOf(alternatives[0])).find((name) => {
    const constants = alternatives.map((each) => constantOf(propertiesOf(each)[name]))
    return constants.every(isConstant) && new Set(constants).size === constants.length
  })
}

function addChoice(search: Search, { path, alternative }: Place, constants: readonly Constant[], value: unknown): void {
  const candidates = constants.slice(0, maxCandidates)
  const words = candidates.map((each) => JSON.stringify(each))
  const texts = candidates.filter((each) => typeof each === 'string')
  const near = typeof value === 'string' && value.length > 2 && alternative === '' ? suggestion(value, texts) : ''
  const list = [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((each) => each !== '').join(' or ')
  add(search, path, alternative, `must be ${list}${near}`)
}

/** Leaves a schema to the validator, in values that are small enough for it. */
function searchWhole(schema: PlainSchema, value: unknown, place: Place, search: Search): void {
  if (countMembers(value, maxWalked) < maxWalked) addErrors(schema, value, place, search)
}

/** The validator's errors. At most 8 of them. */
function addErrors(schema: PlainSchema, value: unknown, place: Place, search: Search): void {
  if (Object.keys(schema).length === 0) return
  for (const error of Errors(schema as TSchema, value)[1]) {
    const path = `${place.path}${error.instancePath}`
    const inner = /^.*\/(?:anyOf|oneOf)\/\d+/.exec(error.schemaPath)?.[0]
    const alternative = inner === undefined ? place.alternative : `${place.alternative}/${place.path}${inner}`
    for (const each of problemsOf(error)) add(search, `${path}${each.member}`, alternative, each.message)
  }
}

/**
 * One error of the validator as problems. For members that a closed object does not know it reports
 * each (`boolean`, the schema `false` does not hold), then of all together
 * (`additionalProperties`); for a union of each alternative, then of the whole. The second adds
 * nothing.
 */
function problemsOf(error: TLocalizedValidationError): readonly { readonly member: string; readonly message: string }[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties
        .slice(0, maxPlaces)
        .map((name) => ({ member: `/${escapeSegment(name)}`, message: 'is required' }))
    case 'additionalProperties':
    case 'anyOf':
      return []
    default:
      return [{ member: '', message: expectationOf(error) }]
  }
}

/** How many members a value has in all its depth, counted up to a limit. */
function countMembers(value: unknown, limit: number): number {
  const open: unknown[] = [value]
  let count = 0
  while (open.length > 0 && count < limit) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const members = Array.isArray(next) ? next : Object.values(next)
    count += members.length
    if (count < limit) open.push(...members)
  }
  return count
}

/** Whether a schema refers to another: its parts then cannot be taken out of it. */
function hasReferences(schema: object): boolean {
  const known = referring.get(schema)
  if (known !== undefined) return known
  const open: unknown[] = [schema]
  let found = false
  while (open.length > 0 && !found) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    found = '$ref' in next || '$dynamicRef' in next || '$recursiveRef' in next
    open.push(...Object.values(next))
  }
  referring.set(schema, found)
  return found
}

const referring = new WeakMap<object, boolean>()

const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
