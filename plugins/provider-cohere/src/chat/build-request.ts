import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, describedSchema, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'

/**
 * The JSON body of a chat request: mapped, then merged with `extraParams`. The order of its keys is
 * fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, names: ToolNames): JsonObject {
  const { tools, choice } = offeredTools(request)
  const schema = request.responseSchema && describedSchema(request.responseSchema)
  // Cohere refuses a format beside tools, so an instruction contains the schema then.
  const inWords = (schema !== undefined || request.jsonObject === true) && tools.length > 0
  if (inWords && (request.responseSchema?.strict === true || request.jsonObject === true))
    throw callFailure({
      failure: 'bad_request',
      retryable: false,
      reason: 'This protocol takes no format of the answer beside tools. Leave out the tools, or use another model.',
    })
  const { max_tokens: maxTokens, temperature } = request.settings
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters },
      })),
    }),
    ...(strictOf(tools) && { strict_tools: true }),
    ...(choice !== undefined && { tool_choice: choice }),
    messages: buildMessages(inWords && schema !== undefined ? [schemaInstruction(schema), ...request.messages] : request.messages, {
      vendor: opaqueVendor(request.connection.brand, request.model),
      names,
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(schema !== undefined && !inWords && { response_format: { type: 'json_object', json_schema: schema } }),
    ...(request.jsonObject === true && { response_format: { type: 'json_object' } }),
    // Always sent: the defaults of proxies differ.
    stream: request.stream,
  }
  return mergeExtraParameters(body, request.extraParams)
}

/** Whether arguments are enforced, for all tools alike. @throws a call failure if they differ. */
function strictOf(tools: ModelRequest['tools']): boolean {
  const strict = tools.filter((tool) => tool.strict === true).length
  if (strict === 0 || strict === tools.length) return strict > 0
  const reason = 'This protocol enforces the arguments of all tools or of none. Set “strict” of every tool to the same value.'
  throw callFailure({ failure: 'bad_request', retryable: false, reason })
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
