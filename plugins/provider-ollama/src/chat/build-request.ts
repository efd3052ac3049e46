import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, describedSchema, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildMessages } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { ollamaSettings } from './typed-settings.js'

/** The members of `options` in the order in which they are sent. */
const optionNames = ['temperature', ...Object.keys(ollamaSettings.properties).filter((name) => name !== 'think')]

/**
 * The JSON body of a chat request: mapped, then merged with `extraParams`. The order of its keys is
 * fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, names: ToolNames): JsonObject {
  const tools = request.toolChoice === 'none' ? [] : request.tools
  const schema = request.responseSchema && describedSchema(request.responseSchema)
  // A format prevents tool calls, so an instruction contains the schema beside tools.
  const inWords = (schema !== undefined || request.jsonObject === true) && tools.length > 0
  if (inWords && (request.responseSchema?.strict === true || request.jsonObject === true))
    throw callFailure({
      failure: 'bad_request',
      retryable: false,
      reason: 'This protocol takes no format of the answer beside tools. Leave out the tools, or use another model.',
    })
  const options = optionsOf(request)
  const { think } = request.settings
  const body: JsonObject = {
    model: request.model,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name: names.wire(name), description, parameters },
      })),
    }),
    messages: buildMessages(inWords && schema !== undefined ? [schemaInstruction(schema), ...request.messages] : request.messages, {
      vendor: opaqueVendor(request.connection.brand, request.model),
      names,
    }),
    ...(schema !== undefined && !inWords && { format: schema }),
    ...(request.jsonObject === true && { format: 'json' }),
    ...(request.logprobs && { logprobs: true, ...(request.logprobs.top > 0 && { top_logprobs: request.logprobs.top }) }),
    ...(think !== undefined && { think }),
    ...(Object.keys(options).length > 0 && { options }),
    // Streaming is the default of the server.
    stream: request.stream,
  }
  return mergeExtraParameters(body, request.extraParams)
}

/**
 * `num_predict` wins over the common limit; without `num_ctx` the window of the group is sent,
 * since the server's default is small.
 */
function optionsOf({ settings, contextWindow }: ModelRequest): JsonObject {
  const { max_tokens: maxTokens, ...own } = settings
  const values: Readonly<Record<string, JsonValue | undefined>> = {
    ...own,
    num_predict: own['num_predict'] ?? maxTokens,
    num_ctx: own['num_ctx'] ?? contextWindow,
  }
  return Object.fromEntries(
    optionNames.flatMap((name): readonly (readonly [string, JsonValue])[] => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
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
