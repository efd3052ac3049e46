import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { buildCompletionsMessages, mergeExtraParameters, type ToolNames, textAt } from '@agent-service/sdk/provider-kit'
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
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters },
      })),
      ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice, names) }),
    }),
    messages: buildCompletionsMessages(request.messages, {
      vendor: opaqueVendor(connection.brand, model),
      names,
      // Templates of open models write this content into the prompt.
      contentOfCalls: '',
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
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
function responseFormat({ name, schema }: { readonly name: string; readonly schema: JsonObject }, quirks: JsonObject): JsonObject {
  return textAt(quirks, 'structured_output') === 'json_object_value'
    ? { type: 'json_object', value: schema }
    : { type: 'json_schema', json_schema: { name, schema } }
}
