import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ResponseSchema, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import {
  buildCompletionsMessages,
  callFailure,
  describedSchema,
  mergeExtraParameters,
  type ToolNames,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { opaqueVendor } from './opaque-vendor.js'

/**
 * The JSON body of a chat request: mapped, then merged with `extraParams`. The order of its keys is
 * fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, names: ToolNames, options: { readonly streamOptions: boolean }): JsonObject {
  const { connection, model, tools, toolChoice, settings, responseSchema } = request
  const { max_tokens: maxTokens, temperature } = settings
  const body: JsonObject = {
    model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters, strict }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters, ...(strict !== undefined && { strict }) },
      })),
      ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice, names) }),
      ...(request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
    }),
    messages: buildCompletionsMessages(request.messages, {
      vendor: opaqueVendor(connection.brand, model),
      names,
      // Templates of open models write this content into the prompt.
      contentOfCalls: '',
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(request.logprobs && { logprobs: true, ...(request.logprobs.top > 0 && { top_logprobs: request.logprobs.top }) }),
    ...(request.logitBias && { logit_bias: request.logitBias }),
    ...(request.jsonObject === true && { response_format: jsonObjectFormat(connection.quirks) }),
    ...(responseSchema && { response_format: responseFormat(responseSchema, connection.quirks) }),
    ...(request.stream && { stream: true, ...(options.streamOptions && { stream_options: { include_usage: true } }) }),
  }
  return mergeExtraParameters(body, request.extraParams)
}

const wireToolChoice = (choice: ToolChoice, names: ToolNames): JsonValue =>
  typeof choice === 'object' ? { type: 'function', function: { name: names.wire(choice.name) } } : choice

/**
 * Older text-generation servers need another form: the quirk
 * `structured_output: json_object_value`.
 */
function responseFormat(responseSchema: ResponseSchema, quirks: JsonObject): JsonObject {
  if (takesValue(quirks)) return { type: 'json_object', value: describedSchema(responseSchema) }
  const { name, description, schema, strict } = responseSchema
  const json = { name, ...(description !== undefined && { description }), schema, ...(strict !== undefined && { strict }) }
  return { type: 'json_schema', json_schema: json }
}

const takesValue = (quirks: JsonObject): boolean => textAt(quirks, 'structured_output') === 'json_object_value'

function jsonObjectFormat(quirks: JsonObject): JsonObject {
  if (!takesValue(quirks)) return { type: 'json_object' }
  const reason = 'This server takes JSON only with a schema. Use json_schema.'
  throw callFailure({ failure: 'bad_request', retryable: false, reason })
}
