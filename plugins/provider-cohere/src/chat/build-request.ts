import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'

/**
 * The JSON body of a chat request: mapped, then merged with `extraParams`. The order of its keys is
 * fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, names: ToolNames): JsonObject {
  const { tools, choice } = offeredTools(request)
  const schema = request.responseSchema?.schema
  // Cohere refuses a format beside tools, so an instruction contains the schema then.
  const inWords = schema !== undefined && tools.length > 0
  const { max_tokens: maxTokens, temperature } = request.settings
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters },
      })),
    }),
    ...(choice !== undefined && { tool_choice: choice }),
    messages: buildMessages(inWords ? [schemaInstruction(schema), ...request.messages] : request.messages, {
      vendor: opaqueVendor(request.connection.brand, request.model),
      names,
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(schema !== undefined && !inWords && { response_format: { type: 'json_object', json_schema: schema } }),
    // Always sent: the defaults of proxies differ.
    stream: request.stream,
  }
  return mergeExtraParameters(body, request.extraParams)
}

/** The protocol cannot choose one tool: only that tool is offered, and a call is required. */
function offeredTools({ tools, toolChoice }: ModelRequest): {
  readonly tools: ModelRequest['tools']
  readonly choice: 'REQUIRED' | 'NONE' | undefined
} {
  if (tools.length === 0 || toolChoice === undefined || toolChoice === 'auto') return { tools, choice: undefined }
  if (toolChoice === 'none') return { tools, choice: 'NONE' }
  if (toolChoice === 'required') return { tools, choice: 'REQUIRED' }
  const chosen = tools.filter(({ name }) => name === toolChoice.name)
  return { tools: chosen.length > 0 ? chosen : tools, choice: 'REQUIRED' }
}

const schemaInstruction = (schema: JsonObject): ModelMessage => ({
  role: 'system',
  content: [
    {
      type: 'text',
      text: `Answer, once no tool is needed any more, with one JSON object that follows this JSON Schema, and nothing else: ${JSON.stringify(schema)}`,
    },
  ],
})
