import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { checkedObject, type FieldRules, hint, only } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'

/** Hints of vendors for caches and lists, and marks that clients keep in tools. They have no effect. */
const marks: FieldRules = Object.fromEntries(
  ['cache_control', 'custom_fields', 'eager_input_streaming', 'metadata'].map((name) => [name, 'ignored']),
)

/** The members of a function, in `function` or beside `type`. */
const functionFields: FieldRules = {
  ...marks,
  ...{ name: 'carried', description: 'carried', parameters: 'carried', strict: 'carried' },
  ...{ annotations: 'ignored', title: 'ignored', output_schema: 'ignored' },
  type: only(['function'], 'must be function.'),
}

/** The members of a tool that has its function inside, and of one that is the function. */
const wrappedFields: FieldRules = { ...marks, type: 'carried', function: 'carried' }
const flatFields: FieldRules = {
  ...functionFields,
  type: 'carried',
  // Every tool is offered at once.
  defer_loading: hint(false),
  allowed_callers: only([['direct']], 'must be ["direct"]: only the model calls tools.'),
}

/**
 * The tools of either protocol. Those of a vendor, such as `web_search`, are left out and noted if there are functions
 * beside them, since clients offer them to every model. @throws for vendors' tools alone.
 */
export function readTools(tools: readonly JsonObject[], at: string, ignored: IgnoredFields): readonly ModelTool[] {
  const isForeign = ({ type }: JsonObject): boolean => typeof type === 'string' && type !== '' && type !== 'function'
  const isServed = tools.some((tool) => !isForeign(tool))
  return tools.flatMap((tool, index) => {
    if (!isServed || !isForeign(tool)) return [readTool(tool, `${at}[${index}]`, ignored)]
    ignored.add(`${at}[].${String(tool['type'])}`)
    return []
  })
}

/**
 * A tool of either protocol: `{type, function: {…}}`, where some clients omit the type, or the same without
 * `function`. @throws for other types of tools.
 */
export function readTool(tool: JsonObject, at: string, ignored: IgnoredFields): ModelTool {
  const isWrapped = typeof tool['function'] === 'object' && tool['function'] !== null
  if (tool['type'] !== 'function' && !(isWrapped && (tool['type'] ?? null) === null))
    throw unsupportedParameterError.create({
      param: at,
      reason: `is of the type “${String(tool['type'])}”; only functions are supported.`,
    })
  checkedObject(tool, isWrapped ? wrappedFields : flatFields, at, ignored)
  return isWrapped ? readFunction(tool['function'], `${at}.function`, ignored) : functionOf(tool, at)
}

/** A function by itself. @throws for one without a name. */
export const readFunction = (given: unknown, at: string, ignored: IgnoredFields): ModelTool =>
  functionOf(checkedObject(given, functionFields, at, ignored) ?? {}, at)

function functionOf({ name, description, parameters, strict }: JsonObject, at: string): ModelTool {
  if (typeof name !== 'string' || name === '') throw unsupportedParameterError.create({ param: at, reason: 'has no name.' })
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: typeof parameters === 'object' && parameters !== null ? (parameters as JsonObject) : { type: 'object', properties: {} },
    ...readStrict(strict, at),
  }
}

function readStrict(strict: JsonValue | undefined, at: string): { readonly strict?: boolean } {
  if (strict === undefined || strict === null) return {}
  if (typeof strict !== 'boolean') throw unsupportedParameterError.create({ param: `${at}.strict`, reason: 'must be true or false.' })
  return { strict }
}

const choices: Readonly<Record<string, ToolChoice>> = { auto: 'auto', none: 'none', required: 'required', any: 'required' }
const choiceFields: FieldRules = { type: 'carried', function: 'carried', name: 'carried' }

/**
 * `auto`, `none`, `required`, which others call `any`, alone or as a type; or a named function of either protocol.
 * @throws for anything else.
 */
export function readToolChoice(choice: JsonValue | undefined, ignored: IgnoredFields): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  const isObject = typeof choice === 'object' && !Array.isArray(choice)
  const word = String(isObject ? (choice as JsonObject)['type'] : choice)
  if (Object.hasOwn(choices, word)) {
    if (isObject) checkedObject(choice, { type: 'carried' }, 'tool_choice', ignored)
    return choices[word]
  }
  if (isObject && word === 'function') {
    const { name, function: called } = checkedObject(choice, choiceFields, 'tool_choice', ignored) ?? {}
    const wanted = checkedObject(called, { name: 'carried' }, 'tool_choice.function', ignored)?.['name'] ?? name
    if (typeof wanted === 'string') return { name: wanted }
  }
  throw unsupportedParameterError.create({ param: 'tool_choice', reason: 'must be auto, none, required or one function.' })
}

/** `function_call`, the choice before `tool_choice`: `auto`, `none`, or one function. @throws for anything else. */
export function functionChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none') return choice
  const { name } = (typeof choice === 'object' ? choice : {}) as { readonly name?: unknown }
  if (typeof name === 'string' && name !== '') return { name }
  throw unsupportedParameterError.create({ param: 'function_call', reason: 'must be auto, none or one function.' })
}

const schemaFields: FieldRules = { name: 'carried', description: 'carried', schema: 'carried', strict: 'carried' }

/** The format of an answer, of either protocol; nothing for text. @throws for an unknown format. */
export function readFormat(
  format: JsonValue | undefined,
  at: string,
  ignored: IgnoredFields,
): Pick<InferenceRequest, 'responseSchema' | 'jsonObject'> {
  if (format === undefined || format === null) return {}
  const { type, json_schema: wrapped } = (typeof format === 'object' ? format : {}) as JsonObject
  if (type === 'json_object' && isSchema((format as JsonObject)['schema'])) {
    // As servers had it before `json_schema`; some clients still send it.
    const { schema } = checkedObject(format, { type: 'carried', schema: 'carried' }, at, ignored) ?? {}
    return { responseSchema: { name: 'answer', schema: schema as JsonObject } }
  }
  if (type === 'text' || type === 'json_object') {
    checkedObject(format, { type: 'carried' }, at, ignored)
    return type === 'text' ? {} : { jsonObject: true }
  }
  const isWrapped = typeof wrapped === 'object' && wrapped !== null
  const place = isWrapped ? `${at}.json_schema` : at
  const definition =
    checkedObject(isWrapped ? wrapped : format, isWrapped ? schemaFields : { ...schemaFields, type: 'carried' }, place, ignored) ?? {}
  const { name, description, schema, strict } = definition
  if (type !== 'json_schema' || !isSchema(schema))
    throw unsupportedParameterError.create({ param: at, reason: 'must be text, json_object, or json_schema with a schema.' })
  if (isWrapped) checkedObject(format, { type: 'carried', json_schema: 'carried' }, at, ignored)
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
