import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest, ModelTool, ResponseSchema, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { describedSchema, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { withoutFields } from '../connection/refused-fields.js'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'
import type { CompletionsQuirks } from './quirks.js'
import { refuseUnsendable } from './refuse-unsendable.js'

/** Further inputs of the body. */
export interface BodyMeans {
  readonly names: ToolNames
  /** Fields that the endpoint refused before. */
  readonly refused: ReadonlySet<string>
}

/**
 * The JSON body of a completions request: mapped, then merged with `extraParams`. The order of its
 * keys is fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, quirks: CompletionsQuirks, { names, refused }: BodyMeans): JsonObject {
  refuseUnsendable(request, quirks)
  const stream = request.stream && quirks.streaming
  const tools = quirks.tools ? request.tools : []
  const schemaHint = formatInWords(request, quirks)
  const messages = buildMessages([...schemaHint, ...request.messages], {
    quirks,
    names,
    vendor: opaqueVendor(request.connection.brand, request.model),
  })
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => wireTool(tool, quirks, names)),
      ...(request.toolChoice !== undefined && { tool_choice: wireToolChoice(request.toolChoice, quirks, names) }),
      ...(request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
    }),
    messages,
    ...settingsOf(request, quirks, refused),
    ...(request.logprobs && { logprobs: true, ...(request.logprobs.top > 0 && { top_logprobs: request.logprobs.top }) }),
    ...(request.logitBias && { logit_bias: request.logitBias }),
    ...responseFormat(request, quirks),
    ...(stream && { stream: true, ...(quirks.streamOptions && { stream_options: { include_usage: true } }) }),
  }
  // A refused name of the limit was replaced by the other above.
  const droppable = new Set([...refused].filter((field) => !limitFields.includes(field) && !isAskedFor(field, request)))
  return withoutFields(mergeExtraParameters(body, request.extraParams), droppable)
}

/** The two names of the limit of an answer; each replaces the other. */
export const limitFields: readonly string[] = ['max_tokens', 'max_completion_tokens']

/** Whether the caller asked for a field of the body, so that it may not be left out. */
export const isAskedFor = (field: string, { required = [], parallelToolCalls }: ModelRequest): boolean =>
  required.includes(field) || (field === 'parallel_tool_calls' && parallelToolCalls !== undefined)

const wireTool = ({ name, description, parameters, strict }: ModelTool, quirks: CompletionsQuirks, names: ToolNames): JsonObject => ({
  type: 'function',
  function: {
    name: names.wire(name),
    description,
    parameters: quirks.schemaKeyword ? parameters : withoutSchemaKeyword(parameters),
    ...(strict !== undefined && { strict }),
  },
})

function settingsOf({ settings, model, required = [] }: ModelRequest, quirks: CompletionsQuirks, refused: ReadonlySet<string>): JsonObject {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, seed, ...others } = settings
  const onlyCompletion = quirks.maxCompletionTokensModels?.test(model) === true
  const limit = maxCompletionTokens ?? maxTokens
  // Of a caller's choice of the name only brands that are known to have both are sure to take it.
  const isTaken = !required.includes('max_completion_tokens') || quirks.maxCompletionTokensModels !== undefined
  const wanted = (maxCompletionTokens !== undefined && isTaken) || onlyCompletion ? 'max_completion_tokens' : 'max_tokens'
  const limitField = refused.has(wanted) ? (wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens') : wanted
  return withoutAbsent({
    ...(limit !== undefined && { [limitField]: limit }),
    ...(seed !== undefined && { [quirks.seedField]: seed }),
    ...others,
  })
}

const withoutAbsent = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))

const withoutSchemaKeyword = ({ $schema: _, ...parameters }: JsonObject): JsonObject => parameters

const wireToolChoice = (choice: ToolChoice, quirks: CompletionsQuirks, names: ToolNames): JsonValue => {
  if (typeof choice === 'object') return { type: 'function', function: { name: names.wire(choice.name) } }
  return choice === 'required' ? quirks.requiredToolChoice : choice
}

function responseFormat({ responseSchema, jsonObject }: ModelRequest, { structuredOutput }: CompletionsQuirks): JsonObject {
  if (structuredOutput === 'none') return {}
  if (responseSchema && structuredOutput === 'json_schema')
    return { response_format: { type: 'json_schema', json_schema: { ...wireSchema(responseSchema) } } }
  return responseSchema || jsonObject === true ? { response_format: { type: 'json_object' } } : {}
}

const wireSchema = ({ name, description, schema, strict }: ResponseSchema): JsonObject => ({
  name,
  ...(description !== undefined && { description }),
  schema,
  ...(strict !== undefined && { strict }),
})

/** The format of the answer as an instruction, for a brand that does not take it as a field. */
function formatInWords({ responseSchema, jsonObject }: ModelRequest, { structuredOutput }: CompletionsQuirks): readonly ModelMessage[] {
  const told = (text: string): readonly ModelMessage[] => [{ role: 'system', content: [{ type: 'text', text }] }]
  if (responseSchema && structuredOutput !== 'json_schema')
    return told(
      `Answer with one JSON object that follows this JSON Schema, and nothing else: ${JSON.stringify(describedSchema(responseSchema))}`,
    )
  return jsonObject === true && structuredOutput === 'none' ? told('Answer with one JSON object and nothing else.') : []
}
