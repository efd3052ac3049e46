import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { withoutFields } from '../connection/refused-fields.js'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'
import type { CompletionsQuirks } from './quirks.js'

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
  const stream = request.stream && quirks.streaming
  const tools = quirks.tools ? request.tools : []
  const schemaHint =
    request.responseSchema && quirks.structuredOutput !== 'json_schema' ? [schemaInstruction(request.responseSchema.schema)] : []
  const messages = buildMessages([...schemaHint, ...request.messages], {
    quirks,
    names,
    vendor: opaqueVendor(request.connection.brand, request.model),
  })
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters: quirks.schemaKeyword ? parameters : withoutSchemaKeyword(parameters) },
      })),
      ...(request.toolChoice !== undefined && { tool_choice: wireToolChoice(request.toolChoice, quirks, names) }),
    }),
    messages,
    ...settingsOf(request, quirks, refused),
    ...(request.responseSchema && responseFormat(request.responseSchema, quirks)),
    ...(stream && { stream: true, ...(quirks.streamOptions && { stream_options: { include_usage: true } }) }),
  }
  // A refused name of the limit was replaced by the other above.
  const droppable = new Set([...refused].filter((field) => !limitFields.includes(field)))
  return withoutFields(mergeExtraParameters(body, request.extraParams), droppable)
}

const limitFields: readonly string[] = ['max_tokens', 'max_completion_tokens']

function settingsOf({ settings, model }: ModelRequest, quirks: CompletionsQuirks, refused: ReadonlySet<string>): JsonObject {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, seed, ...others } = settings
  const onlyCompletion = quirks.maxCompletionTokensModels?.test(model) === true
  const limit = maxCompletionTokens ?? maxTokens
  const wanted = maxCompletionTokens !== undefined || onlyCompletion ? 'max_completion_tokens' : 'max_tokens'
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

function responseFormat({ name, schema }: { readonly name: string; readonly schema: JsonObject }, quirks: CompletionsQuirks): JsonObject {
  switch (quirks.structuredOutput) {
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name, schema } } }
    case 'json_object':
      return { response_format: { type: 'json_object' } }
    case 'none':
      return {}
  }
}

const schemaInstruction = (schema: JsonObject) =>
  ({
    role: 'system',
    content: [
      { type: 'text', text: `Answer with one JSON object that follows this JSON Schema, and nothing else: ${JSON.stringify(schema)}` },
    ],
  }) as const
