import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, type ToolNames } from '@agent-service/sdk/provider-kit'
import type { MessagesQuirks } from './quirks.js'

/**
 * The tool for answers of models without a schema format; `undefined` if no schema is given or the
 * model has a format.
 */
export function answerToolName(request: ModelRequest, quirks: MessagesQuirks, names: ToolNames): string | undefined {
  const { responseSchema } = request
  const byTool = quirks.structuredOutput === 'tool' || quirks.structuredOutputToolModels?.test(request.model) === true
  if (!responseSchema || !byTool) return undefined
  const taken = new Set(request.tools.map(({ name }) => names.wire(name)))
  let name = names.wire(responseSchema.name)
  while (taken.has(name)) name = names.wire(`${name}_answer`)
  return name
}

/** The declaration of that tool. */
export const answerTool = (name: string, schema: JsonObject): JsonObject => ({
  name,
  description: 'Gives the final answer. Call it once, with the whole answer as its arguments.',
  input_schema: { ...schema, type: 'object' },
})

/**
 * Schema members that the vendor's format does not support. They go into the description instead.
 */
const unknownMembers: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/**
 * A schema as the vendor's format takes it: every object is closed, and limits that it would refuse
 * move into the description. The caller still holds the answer against its own schema.
 */
export function fitSchema(schema: JsonObject): JsonObject {
  const fitted: Record<string, JsonValue> = {}
  const told: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (unknownMembers.has(name) || (name === 'minItems' && typeof value === 'number' && value > 1))
      told.push(`${name}: ${JSON.stringify(value)}`)
    else fitted[name] = fitMember(name, value)
  }
  if (isObject(schema['properties'])) fitted['additionalProperties'] = false
  const description = typeof schema['description'] === 'string' ? schema['description'] : ''
  return told.length === 0 ? fitted : { ...fitted, description: `${description} {${told.join(', ')}}`.trim() }
}

function fitMember(name: string, value: JsonValue): JsonValue {
  if ((name === 'properties' || name === '$defs' || name === 'definitions') && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isObject(member) ? fitSchema(member) : (member ?? null)]))
  if (name === 'items' && isObject(value)) return fitSchema(value)
  if ((name === 'anyOf' || name === 'oneOf' || name === 'allOf') && Array.isArray(value))
    return value.map((member: JsonValue) => (isObject(member) ? fitSchema(member) : member))
  return value
}
