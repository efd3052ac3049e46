import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The OpenAPI document of a service, as far as tests read it. */
export interface ApiDescription extends JsonObject {
  readonly openapi: string
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
}

/** One operation of it. */
export interface DescribedOperation extends JsonObject {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags?: readonly string[]
  readonly parameters: readonly DescribedParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedContent>> }
  readonly responses: Readonly<Record<string, DescribedAnswer>>
  readonly 'x-owner': string
}

export interface DescribedParameter extends JsonObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
}

export interface DescribedContent extends JsonObject {
  readonly schema: JsonObject
  readonly example?: JsonValue
}

export interface DescribedAnswer extends JsonObject {
  readonly description: string
  readonly content?: Readonly<Record<string, DescribedContent>>
  /** Of problems. */
  readonly 'x-codes'?: readonly string[]
}

/** Reads it from a running service. */
export async function readDescription(url: string): Promise<ApiDescription> {
  return (await (await fetch(`${url}/api/openapi.json`)).json()) as ApiDescription
}

/** Every operation, with its method in upper case. */
export const operationsOf = ({ paths }: ApiDescription) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A schema without references, in words that every part of the tests knows: each choice is `anyOf`,
 * each fixed value `const`.
 */
export function inlined(schema: JsonObject, schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const target = schemas[reference.slice('#/components/schemas/'.length)]
    if (target === undefined) throw new Error(`The description has no schema ${reference}.`)
    return inlined(target, schemas)
  }
  const { oneOf, discriminator: _, enum: values, type, ...rest } = schema
  const inner = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]): readonly [string, JsonValue] => {
      if (keyword === 'properties' && isObject(value))
        return [
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isObject(member) ? inlined(member, schemas) : member])),
        ]
      if ((keyword === 'items' || keyword === 'additionalProperties') && isObject(value)) return [keyword, inlined(value, schemas)]
      if (keyword === 'anyOf' && Array.isArray(value))
        return [keyword, value.map((each: JsonValue) => (isObject(each) ? inlined(each, schemas) : each))]
      return [keyword, value]
    }),
  )
  if (Array.isArray(values)) return { ...inner, anyOf: values.map((value: JsonValue) => ({ const: value })) }
  if (Array.isArray(oneOf)) return { ...inner, anyOf: oneOf.map((each: JsonValue) => (isObject(each) ? inlined(each, schemas) : each)) }
  if (Array.isArray(type)) return { anyOf: type.map((each: JsonValue) => (each === 'null' ? { type: each } : { ...inner, type: each })) }
  return { ...inner, ...(type !== undefined && { type }) }
}

/** Checks values against schemas of a description, by an independent validator. */
export interface SchemaChecker {
  /** What is wrong; undefined if the value fits. */
  problemWith(schema: JsonObject, value: JsonValue | undefined): string | undefined
}

/** Makes one. Schemas are compiled once. */
export function createSchemaChecker(description: ApiDescription): SchemaChecker {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ ...description, $id: 'description' })
  const compiled = new Map<string, ValidateFunction>()
  return {
    problemWith(schema, value) {
      const key = JSON.stringify(schema)
      const check =
        compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/components/', '"description#/components/')) as JsonObject)
      compiled.set(key, check)
      if (check(value)) return undefined
      return ajv.errorsText(check.errors)
    },
  }
}

/** Checks the answer to a request of an operation. @throws Error that says what is not as described. */
export function expectDescribed(
  checker: SchemaChecker,
  { operation }: { readonly operation: DescribedOperation },
  answer: { readonly status: number; readonly contentType: string | undefined; readonly body: string },
): void {
  const described = operation.responses[String(answer.status)]
  if (described === undefined)
    throw new Error(`${operation.operationId} does not describe the status ${answer.status}: ${answer.body.slice(0, 300)}`)
  const media = answer.contentType?.split(';')[0]
  if (answer.body === '' && described.content === undefined) return
  const content = described.content ?? {}
  const found = content[media ?? ''] ?? content['application/octet-stream'] ?? content['*/*']
  if (found === undefined)
    throw new Error(`${operation.operationId} does not describe ${answer.status} with ${media}: ${answer.body.slice(0, 300)}`)
  if (found !== content['application/json'] && found !== content['application/problem+json']) return
  const json = JSON.parse(answer.body) as JsonValue
  const problem = checker.problemWith(found.schema, json)
  if (problem !== undefined) throw new Error(`${operation.operationId} ${answer.status}: ${problem}: ${answer.body.slice(0, 300)}`)
  const codes = described['x-codes']
  const code = isObject(json) ? json['code'] : undefined
  if (codes !== undefined && typeof code === 'string' && !codes.includes(code))
    throw new Error(`${operation.operationId} does not describe the code ${code} of ${answer.status}: ${answer.body.slice(0, 300)}`)
}
