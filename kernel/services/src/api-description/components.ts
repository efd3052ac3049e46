import { describesStructure, isJsonObject } from '@agent-service/kernel-core/http/schemas'
import { type JsonObject, type JsonValue, nameOfSchema, schemaNameKeyword, type TSchema } from '@agent-service/sdk'
import { constantOf, discriminatorOf, inPlainWords, referredName, schemaReference } from './schema-json.js'

/** The named schemas of the document, each once. */
export interface Components {
  /**
   * A schema as JSON, for the place that uses it: a reference if it has a name, or gets one here
   * because it describes an object, a list or a choice. Named schemas in it are references, too.
   * `prefix`: of the names that its owner gives.
   */
  refer(schema: TSchema, prefix: string, nameIfNone?: string): JsonObject
  /** Adds what is JSON already; the reference to it. */
  add(name: string, schema: JsonObject): JsonObject
  /** The schema that a reference means, or the schema itself. */
  resolve(schema: JsonObject): JsonObject
  /** By name, in alphabetical order. */
  all(): JsonObject
}

type Mapped = Readonly<Record<string, JsonValue>>

/** Makes an empty collection. */
export function createComponents(): Components {
  const schemas = new Map<string, JsonObject>()
  const convertNamed = (name: string, schema: JsonObject, prefix: string): JsonObject => {
    if (!schemas.has(name)) {
      schemas.set(name, {})
      schemas.set(name, convertMembers(schema, prefix))
    }
    return schemaReference(name)
  }
  const convert = (schema: JsonObject, prefix: string): JsonObject => {
    const name = nameOfSchema(schema as TSchema)
    return name === undefined ? convertMembers(schema, prefix) : convertNamed(prefix + name, schema, prefix)
  }
  const convertEach = (members: JsonObject, prefix: string): Mapped =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, isJsonObject(member) ? convert(member, prefix) : member]))

  const convertMembers = (schema: JsonObject, prefix: string): JsonObject => {
    const entries = Object.entries(schema).filter(([keyword]) => keyword !== schemaNameKeyword)
    const converted = entries.map(([keyword, value]): readonly [string, JsonValue] => {
      if (keyword === 'properties' || keyword === 'patternProperties')
        return [keyword, isJsonObject(value) ? convertEach(value, prefix) : value]
      if ((keyword === 'items' || keyword === 'additionalProperties') && isJsonObject(value)) return [keyword, convert(value, prefix)]
      if (keyword === 'anyOf' && Array.isArray(value))
        return [keyword, value.map((branch: JsonValue) => (isJsonObject(branch) ? convert(branch, prefix) : branch))]
      return [keyword, value]
    })
    return withDiscriminator(inPlainWords(Object.fromEntries(converted)))
  }

  const resolve = (schema: JsonObject): JsonObject => schemas.get(referredName(schema) ?? '') ?? schema

  /** A choice among named objects that differ by a constant is `oneOf` with a discriminator. */
  const withDiscriminator = (schema: JsonObject): JsonObject => {
    const { anyOf, ...rest } = schema
    if (!Array.isArray(anyOf) || anyOf.length < 2) return schema
    const branches = anyOf.filter(isJsonObject)
    const names = branches.flatMap((branch) => referredName(branch) ?? [])
    if (names.length !== anyOf.length) return schema
    const propertyName = discriminatorOf(branches.map(resolve))
    if (propertyName === undefined) return schema
    const mapping = branches.map((branch) => [constantOf(resolve(branch), propertyName) ?? '', branch['$ref'] ?? ''] as const)
    return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } }
  }

  return {
    refer(schema, prefix, nameIfNone) {
      const json = schema as unknown as JsonObject
      const own = nameOfSchema(schema)
      return own === undefined && nameIfNone !== undefined && describesStructure(json)
        ? convertNamed(nameIfNone, json, prefix)
        : convert(json, prefix)
    },
    add(name, schema) {
      schemas.set(name, schema)
      return schemaReference(name)
    },
    resolve,
    all: () => Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}
