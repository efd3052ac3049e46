import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { mergeExtraParameters } from '@agent-service/sdk/provider-kit'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'
import type { CompletionsQuirks } from './quirks.js'

/** The JSON body of a completions request: mapped, then merged with `extraParams`. The order of its keys is fixed, so that prefixes can be cached. */
export function buildRequestBody(
  request: ModelRequest,
  quirks: CompletionsQuirks,
  options: { readonly streamOptions: boolean },
): JsonObject {
  const stream = request.stream && quirks.streaming
  const tools = quirks.tools ? request.tools : []
  const schemaHint =
    request.responseSchema && quirks.structuredOutput !== 'json_schema' ? [schemaInstruction(request.responseSchema.schema)] : []
  const messages = buildMessages([...schemaHint, ...request.messages], {
    quirks,
    vendor: opaqueVendor(request.connection.brand, request.model),
  })
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
      ...(request.toolChoice !== undefined && { tool_choice: wireToolChoice(request.toolChoice, quirks) }),
    }),
    messages,
    ...settingsOf(request, quirks),
    ...(request.responseSchema && responseFormat(request.responseSchema, quirks)),
    ...(stream && { stream: true, ...(quirks.streamOptions && options.streamOptions && { stream_options: { include_usage: true } }) }),
  }
  return mergeExtraParameters(body, request.extraParams)
}

function settingsOf({ settings, model }: ModelRequest, quirks: CompletionsQuirks): JsonObject {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, seed, ...others } = settings
  const onlyCompletion = quirks.maxCompletionTokensModels?.test(model) === true
  const limit = maxCompletionTokens ?? maxTokens
  const limitField = maxCompletionTokens !== undefined || onlyCompletion ? 'max_completion_tokens' : 'max_tokens'
  return withoutAbsent({
    ...(limit !== undefined && { [limitField]: limit }),
    ...(seed !== undefined && { [quirks.seedField]: seed }),
    ...others,
  })
}

const withoutAbsent = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))

const wireToolChoice = (choice: ToolChoice, quirks: CompletionsQuirks): JsonValue => {
  if (typeof choice === 'object') return { type: 'function', function: { name: choice.name } }
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
