import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { checkedObject, type FieldRules } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'
import { readStrict } from './read-tools.js'
import type { ClientName, ToolNames } from './tool-names.js'

const choices: Readonly<Record<string, ToolChoice>> = { auto: 'auto', none: 'none', required: 'required', any: 'required' }
const choiceFields: FieldRules = { type: 'carried', function: 'carried', name: 'carried', namespace: 'carried' }

/** The tools of a request, by which a choice is read. */
export interface Offer {
  readonly tools: readonly ModelTool[]
  readonly names?: ToolNames | undefined
}

/**
 * `auto`, `none`, `required`, which others call `any`, alone or as a type; or a named function of either protocol.
 * @throws for anything else.
 */
export function readToolChoice(choice: JsonValue | undefined, offer: Offer, ignored: IgnoredFields): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  const isObject = typeof choice === 'object' && !Array.isArray(choice)
  const word = String(isObject ? (choice as JsonObject)['type'] : choice)
  if (Object.hasOwn(choices, word)) {
    if (isObject) checkedObject(choice, { type: 'carried' }, 'tool_choice', ignored)
    return choices[word]
  }
  if (isObject && word === 'function') return { name: readChosen(choice, offer, 'tool_choice', ignored) }
  throw unsupportedParameterError.create({ param: 'tool_choice', reason: 'must be auto, none, required, one function, or allowed_tools.' })
}

/** The name for the model of a function that a choice names in the form of either protocol. @throws naming the path. */
export function readChosen(choice: JsonValue, offer: Offer, at: string, ignored: IgnoredFields): string {
  const { name, namespace, function: called } = checkedObject(choice, choiceFields, at, ignored) ?? {}
  const wanted = checkedObject(called, { name: 'carried' }, `${at}.function`, ignored)?.['name'] ?? name
  if (typeof wanted !== 'string') throw unsupportedParameterError.create({ param: at, reason: 'must have the name of a function.' })
  return joinedOf(typeof namespace === 'string' ? { name: wanted, namespace } : { name: wanted }, offer, at)
}

/** A function without a namespace is meant first; one of a namespace is, if there is no other of its name. */
function joinedOf({ name, namespace }: ClientName, { tools, names }: Offer, at: string): string {
  const named = tools.map((tool) => ({ joined: tool.name, client: names?.split(tool.name) ?? { name: tool.name } }))
  const fitting = named.filter(({ client }) => client.name === name && (namespace === undefined || client.namespace === namespace))
  const [first, second] = fitting
  if (first === undefined && namespace !== undefined)
    throw unsupportedParameterError.create({ param: at, reason: `names “${name}” of “${namespace}”, which is not among the tools.` })
  const plain = namespace === undefined && fitting.some(({ client }) => client.namespace === undefined)
  if (plain || first === undefined) return name
  if (second !== undefined && second.joined !== first.joined)
    throw unsupportedParameterError.create({
      param: at,
      reason: `names “${name}”, which several namespaces have. Send its namespace beside it.`,
    })
  return first.joined
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
