import { type JsonObject, type JsonValue, type TSchema, validate } from '@agent-service/sdk'
import type { Operation, Parameter } from './operations.js'

/** A body that has to be refused, as text, and the place that has to be named. */
export interface BadBody {
  readonly what: string
  readonly text: string
  /** Absent where the whole is wrong. */
  readonly path?: string
}

/** A query that has to be refused. */
export interface BadQuery {
  readonly what: string
  readonly query: string
}

const anyValues: readonly JsonValue[] = [null, true, 7, -1, 1.5, 1e300, '', 'x', [], ['x'], [[7]], {}, { x: 1 }]

/** What looks like a plain text to people and is another one. */
export const confusables = (text: string): readonly string[] =>
  [
    text.replace(/[a-z]/, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
    text.replace('a', 'а').replace('e', 'е').replace('o', 'о'),
    `${text}\u200b`,
    `\u202e${text}`,
    `${text}\u0000`,
    text.replace('i', 'ı'),
  ].filter((other) => other !== text)

const isValid = (schema: JsonObject, value: JsonValue): boolean => validate(schema as unknown as TSchema, value).length === 0
const members = (schema: JsonObject): Readonly<Record<string, JsonObject>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
const branches = (schema: JsonObject): readonly JsonObject[] => (schema['anyOf'] ?? []) as readonly JsonObject[]

/** A value that a schema takes, as far as a schema can say it. */
export function sampleOf(schema: JsonObject): JsonValue {
  if ('const' in schema) return schema['const'] as JsonValue
  const [first] = (schema['enum'] ?? []) as readonly JsonValue[]
  if (first !== undefined) return first
  const [branch] = branches(schema)
  if (branch) return sampleOf(branch)
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(members(schema))
          .filter(([name]) => ((schema['required'] ?? []) as readonly string[]).includes(name))
          .map(([name, member]) => [name, sampleOf(member)]),
      )
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => sampleOf((schema['items'] ?? {}) as JsonObject))
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return true
    case 'string':
      return 'a text'.padEnd(Number(schema['minLength'] ?? 0), 'x').slice(0, Number(schema['maxLength'] ?? 100))
    default:
      return 'anything'
  }
}

/** The texts that a schema takes word by word. */
function wordsOf(schema: JsonObject): readonly string[] {
  const own = 'const' in schema ? [schema['const']] : ((schema['enum'] ?? []) as readonly JsonValue[])
  return [...own.filter((word) => typeof word === 'string'), ...branches(schema).flatMap(wordsOf)]
}

/**
 * Every way in which a body can be other than its schema says: generated, so that it holds for
 * operations that come later.
 */
export function* badBodies({ bodySchema }: Operation): Generator<BadBody> {
  if (bodySchema?.['type'] !== 'object') return
  const sample = sampleOf(bodySchema) as JsonObject
  const required = (bodySchema['required'] ?? []) as readonly string[]
  for (const name of required) {
    const { [name]: _missing, ...rest } = sample
    yield { what: `without ${name}`, text: JSON.stringify(rest), path: `/${name}` }
  }
  for (const extra of ['nobody_has_this', 'constructor', 'is_admin'])
    if (bodySchema['additionalProperties'] === false)
      yield { what: `with ${extra}`, text: JSON.stringify({ ...sample, [extra]: 1 }), path: `/${extra}` }
  for (const [name, schema] of Object.entries(members(bodySchema))) {
    const wrong = [...anyValues, ...tooLarge(schema), ...wordsOf(schema).flatMap(confusables)].filter((value) => !isValid(schema, value))
    for (const value of wrong) {
      const shown = JSON.stringify(value).slice(0, 40)
      yield { what: `${name} ${shown}`, text: JSON.stringify({ ...sample, [name]: value }), path: `/${name}` }
    }
    const [last] = wrong
    if (last === undefined) continue
    // Of two members with one name the last counts, for the check too.
    const { [name]: first = sampleOf(schema), ...rest } = sample
    const twice = `{${JSON.stringify(name)}:${JSON.stringify(first)},${JSON.stringify(name)}:${JSON.stringify(last)}`
    yield {
      what: `${name} twice`,
      text: `${twice}${JSON.stringify(rest).replace('{', Object.keys(rest).length > 0 ? ',' : '')}`,
      path: `/${name}`,
    }
  }
}

function tooLarge(schema: JsonObject): readonly JsonValue[] {
  const { maxLength, maxItems, maximum } = schema
  return [
    ...(typeof maxLength === 'number' && maxLength < 30_000 ? ['x'.repeat(maxLength + 1)] : []),
    ...(typeof maxItems === 'number' && maxItems < 5_000 ? [Array.from({ length: maxItems + 1 }, () => 'x')] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
    ...branches(schema).flatMap(tooLarge),
  ]
}

/** Every way in which a query can be other than its schema says. */
export function* badQueries({ parameters }: Operation): Generator<BadQuery> {
  yield { what: 'an unknown parameter', query: '?nobody_has_this=1' }
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  for (const { name, schema } of inQuery) {
    yield { what: `${name} twice`, query: `?${name}=1&${name}=2` }
    for (const text of badTexts({ name, schema, in: 'query' }))
      yield { what: `${name} ${text.slice(0, 40)}`, query: `?${name}=${encodeURIComponent(text)}` }
  }
}

function badTexts({ schema }: Parameter): readonly string[] {
  if (schema['type'] === 'integer' || schema['type'] === 'number')
    return ['', 'x', '１０', '٣', '1e2x', '0x10', '1,5', ' 1', '-99999999', '999999999999999999999', 'NaN', '1\u200b']
  if (schema['type'] === 'boolean') return ['', '1', 'TRUE', 'yes', 'ｔrue']
  const { maxLength } = schema
  const words = wordsOf(schema)
  return [
    ...(typeof maxLength === 'number' && maxLength < 5_000 ? ['x'.repeat(maxLength + 1)] : []),
    ...(words.length > 0 ? ['', ...confusables(words[0] ?? ''), String(words[0]).toUpperCase()] : []),
  ]
}
