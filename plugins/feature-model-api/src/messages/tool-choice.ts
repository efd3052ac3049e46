import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { checkedObject, type FieldRules, never, only } from '../fields/field-rules.js'
import { unsupportedParameterError } from '../openai-error.js'

/** The members of a function, in `function` or beside `type`. */
const functionFields: FieldRules = { name: 'carried', description: 'carried', parameters: 'carried', strict: 'carried' }

/** The members of a tool that has its function inside, and of one that is the function. */
const wrappedFields: FieldRules = { type: 'carried', function: 'carried' }
const flatFields: FieldRules = {
  ...functionFields,
  type: 'carried',
  defer_loading: only([false], 'must be false: every tool is offered at once.'),
  allowed_callers: only([['direct']], 'must be ["direct"]: only the model calls tools.'),
  output_schema: never('is not supported. Remove it.'),
}

/**
 * A tool of either protocol: `{type, function: {…}}`, or the same without `function`. @throws for
 * other types of tools.
 */
export function readTool(tool: JsonObject, at: string): ModelTool {
  if (tool['type'] !== 'function')
    throw unsupportedParameterError.create({
      param: at,
      reason: `is of the type “${String(tool['type'])}”; only functions are supported.`,
    })
  const isWrapped = typeof tool['function'] === 'object' && tool['function'] !== null
  checkedObject(tool, isWrapped ? wrappedFields : flatFields, at)
  const place = isWrapped ? `${at}.function` : at
  const definition = isWrapped ? (checkedObject(tool['function'], functionFields, place) ?? {}) : tool
  const { name, description, parameters, strict } = definition
  if (typeof name !== 'string' || name === '') throw unsupportedParameterError.create({ param: place, reason: 'has no name.' })
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: typeof parameters === 'object' && parameters !== null ? (parameters as JsonObject) : { type: 'object', properties: {} },
    ...readStrict(strict, place),
  }
}

function readStrict(strict: JsonValue | undefined, at: string): { readonly strict?: boolean } {
  if (strict === undefined || strict === null) return {}
  if (typeof strict !== 'boolean') throw unsupportedParameterError.create({ param: `${at}.strict`, reason: 'must be true or false.' })
  return { strict }
}

const choiceFields: FieldRules = { type: 'carried', function: 'carried', name: 'carried' }

/**
 * `auto`, `none`, `required`, or a named function of either protocol. @throws for anything else.
 */
export function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (typeof choice === 'object' && !Array.isArray(choice) && (choice as JsonObject)['type'] === 'function') {
    const { name, function: called } = checkedObject(choice, choiceFields, 'tool_choice') ?? {}
    const wanted = checkedObject(called, { name: 'carried' }, 'tool_choice.function')?.['name'] ?? name
    if (typeof wanted === 'string') return { name: wanted }
  }
  throw unsupportedParameterError.create({ param: 'tool_choice', reason: 'must be auto, none, required or one function.' })
}

const schemaFields: FieldRules = { name: 'carried', description: 'carried', schema: 'carried', strict: 'carried' }

/** The format of an answer, of either protocol; nothing for text. @throws for an unknown format. */
export function readFormat(format: JsonValue | undefined, at: string): Pick<InferenceRequest, 'responseSchema' | 'jsonObject'> {
  if (format === undefined || format === null) return {}
  const { type, json_schema: wrapped } = (typeof format === 'object' ? format : {}) as JsonObject
  if (type === 'json_object' && isSchema((format as JsonObject)['schema'])) {
    // As servers had it before `json_schema`; some clients still send it.
    const { schema } = checkedObject(format, { type: 'carried', schema: 'carried' }, at) ?? {}
    return { responseSchema: { name: 'answer', schema: schema as JsonObject } }
  }
  if (type === 'text' || type === 'json_object') {
    checkedObject(format, { type: 'carried' }, at)
    return type === 'text' ? {} : { jsonObject: true }
  }
  const isWrapped = typeof wrapped === 'object' && wrapped !== null
  const place = isWrapped ? `${at}.json_schema` : at
  const definition =
    checkedObject(isWrapped ? wrapped : format, isWrapped ? schemaFields : { ...schemaFields, type: 'carried' }, place) ?? {}
  const { name, description, schema, strict } = definition
  if (type !== 'json_schema' || !isSchema(schema))
    throw unsupportedParameterError.create({ param: at, reason: 'must be text, json_object, or json_schema with a schema.' })
  if (isWrapped) checkedObject(format, { type: 'carried', json_schema: 'carried' }, at)
  return {
    responseSchema: {
      name: typeof name === 'string' ? name : 'answer',
      schema,
      ...(typeof description === 'string' && { description }),
      ...readStrict(strict, place),
    },
  }
}

const isSchema = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
