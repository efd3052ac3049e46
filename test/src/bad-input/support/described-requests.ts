import type { JsonObject, JsonValue } from '@agent-service/sdk'
import fc from 'fast-check'
import type { Api } from '../../support/api.js'
import { type ApiDescription, type DescribedOperation, inlined, operationsOf } from '../../support/api-description.js'

/** A request of an operation, as its description has it, or with something wrong in it. */
export interface DescribedRequest {
  readonly operation: DescribedOperation
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly caller: 'user' | 'admin' | 'nobody'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Each comes from an address of its own. */
  readonly from: string
}

/** Texts that answers had, by the name of their member: ids to ask for. */
export type SeenTexts = ReadonlyMap<string, readonly string[]>

/**
 * Reads every list that needs no parameters, as the person who may. The ids in `/api/chats` are also
 * seen as `chat_id`, because `/api/chats/{chat_id}` is described.
 */
export async function seenTexts(
  description: ApiDescription,
  { user, admin }: { readonly user: Api; readonly admin: Api },
): Promise<SeenTexts> {
  const seen = new Map<string, Set<string>>()
  const add = (name: string, text: string): void => void seen.set(name, (seen.get(name) ?? new Set()).add(text))
  const note = (value: unknown, nameOfId: string | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') note(member, nameOfId)
      else if (member.length < 100) {
        add(name, member)
        if (name === 'id' && nameOfId !== undefined) add(nameOfId, member)
      }
    }
  }
  const operations = operationsOf(description)
  for (const { path, method, operation } of operations) {
    const isJson = operation.responses['200']?.content?.['application/json'] !== undefined
    if (method !== 'GET' || path.includes('{') || !isJson || operation.parameters.some(({ required }) => required)) continue
    const below = operations.find((other) => other.path.startsWith(`${path}/{`))
    const nameOfId = below && /\{([^}]+)\}/.exec(below.path)?.[1]
    const reader = path.startsWith('/api/admin/') ? admin : user
    note((await reader.request('GET', path)).body, nameOfId)
  }
  return new Map([...seen].map(([name, texts]) => [name, [...texts].slice(0, 20)]))
}

const oddTexts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '__proto__', '0', '-1', '2026-13-45', '2026-02-30', '9'.repeat(40), '../..', 'null', '\u0000', '\ud800', '𝒜'),
)

/** Once in forty times; else undefined. */
const seldom = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 39, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })

/** Requests to all operations of a description but some. */
export function describedRequests(
  description: ApiDescription,
  { seen, leftOut }: { readonly seen: SeenTexts; readonly leftOut: ReadonlySet<string> },
): fc.Arbitrary<DescribedRequest> {
  const operations = operationsOf(description).filter(({ operation }) => !leftOut.has(operation.operationId))
  // What is deleted cannot be asked for any more.
  return fc.oneof(
    ...operations.map((each) => ({ weight: each.method === 'DELETE' ? 1 : 10, arbitrary: requestsOf(each, description, seen) })),
  )
}

function requestsOf(
  { path, method, operation }: ReturnType<typeof operationsOf>[number],
  { components: { schemas } }: ApiDescription,
  seen: SeenTexts,
): fc.Arbitrary<DescribedRequest> {
  const parameters = operation.parameters.map((parameter) => ({ ...parameter, schema: inlined(parameter.schema, schemas) }))
  const values = (place: string): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, required, schema }) => [name, optional(valuesOf(schema, name, seen), required ? 0.02 : 0.6)]),
      ),
    )
  const content = operation.requestBody?.content ?? {}
  const json = content['application/json']
  const bodies: fc.Arbitrary<string | undefined> = json
    ? fc.oneof(
        { weight: 12, arbitrary: valuesOf(inlined(json.schema, schemas), '', seen).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: fc.constant(JSON.stringify(json.example)) },
        { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
        { weight: 1, arbitrary: oddTexts },
      )
    : operation.requestBody
      ? fc.string({ maxLength: 100 })
      : fc.constant(undefined)
  return fc
    .record({
      inPath: values('path'),
      inQuery: values('query'),
      inHeader: values('header'),
      unknown: seldom(oddTexts),
      body: bodies,
      caller: fc.constantFrom<DescribedRequest['caller']>('user', 'user', 'user', 'admin', 'admin', 'nobody'),
      client: fc.integer({ min: 1, max: 60_000 }),
    })
    .map(({ inPath, inQuery, inHeader, unknown, body, caller, client }) => {
      const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => segmentOf(inPath[name]))
      const pairs = Object.entries(inQuery).filter(([, value]) => value !== undefined)
      const query = [...pairs, ...(unknown === undefined ? [] : [['unknown', unknown] as const])]
        .map(([name, value]) => `${name}=${escaped(textOf(value))}`)
        .join('&')
      const headers = Object.entries(inHeader)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, textOf(value).replaceAll(/[^\x21-\x7e]/g, '-') || '-'])
      return {
        ...{ operation, method, caller, body },
        target: query === '' ? filled : `${filled}?${query}`,
        headers: { ...Object.fromEntries(headers), ...(body !== undefined && !json && { 'Content-Type': 'application/octet-stream' }) },
        from: `127.4.${client >> 8}.${client & 255 || 1}`,
      }
    })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
/** Lone surrogates cannot be sent. */
const escaped = (text: string): string => encodeURIComponent(Buffer.from(text).toString())
/** An empty segment, or dots, would be another path. */
const segmentOf = (value: unknown): string => {
  const text = textOf(value).replaceAll('/', '-').replaceAll('\u0000', '-')
  return /^\.*$/.test(text) ? '-' : escaped(text)
}

const optional = (values: fc.Arbitrary<unknown>, absent: number): fc.Arbitrary<unknown> =>
  absent < 0.1 ? values : fc.option(values, { nil: undefined, freq: 1 })

/** Values of a schema, and at each place now and then one that does not fit. */
function valuesOf(schema: JsonObject, name: string, seen: SeenTexts): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.jsonValue({ maxDepth: 1 }), oddTexts, fc.constantFrom<unknown>(null, -1, 1e300, 0.5, [], {}, true))
  return fc.oneof({ weight: 40, arbitrary: fittingValues(schema, name, seen) }, { weight: 1, arbitrary: wrong })
}

function fittingValues(schema: JsonObject, name: string, seen: SeenTexts): fc.Arbitrary<unknown> {
  const { const: constant, anyOf, type, examples } = schema
  if (constant !== undefined) return fc.constant(constant)
  const own = Array.isArray(examples) && examples.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom<unknown>(...examples) }] : []
  if (Array.isArray(anyOf))
    return fc.oneof(
      ...own,
      ...anyOf.map((branch: JsonValue) => ({ weight: 1, arbitrary: fittingValues(branch as JsonObject, name, seen) })),
    )
  return fc.oneof(...own, { weight: 2, arbitrary: typedValues(schema, type, name, seen) })
}

function typedValues(schema: JsonObject, type: JsonValue | undefined, name: string, seen: SeenTexts): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectsOf(schema, seen)
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as JsonObject, name, seen), {
        minLength: Math.min(5, numberIn(schema, 'minItems', 0)),
        maxLength: 5,
      })
    case 'string':
      return textsOf(schema, name, seen)
    case 'integer':
      return fc.integer({ min: numberIn(schema, 'minimum', -10), max: Math.min(2 ** 31 - 1, numberIn(schema, 'maximum', 1_000)) })
    case 'number':
      return fc.double({ min: numberIn(schema, 'minimum', -10), max: numberIn(schema, 'maximum', 1_000), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const numberIn = (schema: JsonObject, keyword: string, otherwise: number): number => {
  const value = schema[keyword]
  return typeof value === 'number' ? value : otherwise
}

function objectsOf({ properties, required, additionalProperties }: JsonObject, seen: SeenTexts): fc.Arbitrary<unknown> {
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonObject>>)
  const needed = Array.isArray(required) ? required : []
  const known = fc.record(Object.fromEntries(members.map(([name, schema]) => [name, valuesOf(schema, name, seen)])), {
    requiredKeys: members.map(([name]) => name).filter((name) => needed.includes(name)),
  })
  const more =
    additionalProperties === false
      ? fc.constant({})
      : fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
  return fc.tuple(known, more, seldom(fc.constant('unknown'))).map(([first, rest, unknown]) => ({
    ...rest,
    ...first,
    ...(unknown === undefined ? {} : { [unknown]: 1 }),
  }))
}

function textsOf({ minLength, maxLength, pattern }: JsonObject, name: string, seen: SeenTexts): fc.Arbitrary<unknown> {
  const known = seen.get(name) ?? []
  const max = Math.min(40, typeof maxLength === 'number' ? maxLength : 40)
  const texts =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern))
      : fc.string({ unit: 'grapheme', minLength: Math.min(max, typeof minLength === 'number' ? minLength : 0), maxLength: max })
  if (known.length === 0) return texts
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: texts }, { weight: 1, arbitrary: fc.uuid() })
}
