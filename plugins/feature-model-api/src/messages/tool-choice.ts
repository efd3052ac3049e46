import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { unsupportedParameterError } from '../openai-error.js'

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
  const definition = (typeof tool['function'] === 'object' && tool['function'] !== null ? tool['function'] : tool) as JsonObject
  const { name, description, parameters } = definition
  if (typeof name !== 'string' || name === '') throw unsupportedParameterError.create({ param: at, reason: 'has no name.' })
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: typeof parameters === 'object' && parameters !== null ? (parameters as JsonObject) : { type: 'object', properties: {} },
  }
}

/**
 * `auto`, `none`, `required`, or a named function of either protocol. @throws for anything else.
 */
export function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (typeof choice === 'object' && !Array.isArray(choice)) {
    const { type, name, function: named } = choice as JsonObject
    const wanted = typeof named === 'object' && named !== null ? (named as JsonObject)['name'] : name
    if (type === 'function' && typeof wanted === 'string') return { name: wanted }
  }
  throw unsupportedParameterError.create({ param: 'tool_choice', reason: 'must be auto, none, required or one function.' })
}

/** The schema that an answer must follow, of either protocol. @throws for an unknown format. */
export function readFormat(format: JsonValue | undefined, at: string): { readonly name: string; readonly schema: JsonObject } | undefined {
  if (typeof format !== 'object' || format === null) return undefined
  const { type, json_schema: wrapped } = format as JsonObject
  if (type === 'text') return undefined
  if (type === 'json_object') return { name: 'answer', schema: { type: 'object' } }
  const definition = (typeof wrapped === 'object' && wrapped !== null ? wrapped : format) as JsonObject
  const { name, schema } = definition
  if (type !== 'json_schema' || typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw unsupportedParameterError.create({ param: at, reason: 'must be text, json_object, or json_schema with a schema.' })
  return { name: typeof name === 'string' ? name : 'answer', schema: schema as JsonObject }
}
