import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ContentPart, ModelRequest, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, describedSchema, isObject, mergeExtraParameters, objectAt, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildConversation } from './build-contents.js'
import { isReadableFile } from './content-parts.js'
import { mediaResolution } from './media-resolution.js'
import { opaqueVendor } from './opaque-parts.js'
import { toOpenApiSchema } from './openapi-schema.js'
import type { GenerateContentQuirks } from './quirks.js'
import { toolNamesOf } from './wire-names.js'
import { withoutEmptyValues } from './without-empty-values.js'

/** How a request is built. */
export interface RequestMeans {
  readonly quirks: GenerateContentQuirks
  /** The endpoint does not support JSON Schema. */
  readonly openApiOnly: boolean
}

/**
 * The JSON body of a generate-content request: mapped, then merged with `extraParams`. The order of
 * its keys is fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, { quirks, openApiOnly }: RequestMeans): JsonObject {
  const names = toolNamesOf(request)
  const signs = quirks.signingModels.test(request.model)
  const { system, contents } = buildConversation(request.messages, {
    vendor: opaqueVendor(request.connection.brand, request.model),
    names,
    signs,
  })
  const asOpenApi = openApiOnly || quirks.schemas === 'openapi'
  const { responseSchema, tools } = request
  // Older models refuse a response format beside tools.
  refuseUnreadable(request)
  const inWords = tools.length > 0 && !signs
  if (inWords && (responseSchema?.strict === true || request.jsonObject === true))
    throw callFailure({
      failure: 'bad_request',
      retryable: false,
      reason: 'This model takes no format of the answer beside tools. Leave out the tools, or use another model.',
    })
  const told = responseSchema && inWords ? [schemaInstruction(describedSchema(responseSchema))] : []
  const format = responseSchema && !inWords ? formatOf(describedSchema(responseSchema), asOpenApi) : {}
  const json = request.jsonObject === true ? { responseMimeType: 'application/json' } : {}
  const generation = { ...generationOf(request), ...format, ...json }
  const instructions = [...system, ...told]
  const calling = tools.length > 0 ? callingOf(request, names) : undefined
  const body: JsonObject = {
    ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map((tool) => declarationOf(tool, names, asOpenApi)) }] }),
    ...(calling && { toolConfig: { functionCallingConfig: calling } }),
    contents: [...contents],
    ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
  }
  return mergeExtraParameters(body, request.extraParams)
}

/** @throws a call failure for a file that may not be left out and that the vendor does not read. */
function refuseUnreadable({ messages, required = [] }: ModelRequest): void {
  if (!required.includes('files')) return
  const shown = messages.flatMap((message): readonly ContentPart[] => {
    if (message.role === 'tool') return message.content.flatMap(({ content }): readonly ContentPart[] => content)
    return message.content
  })
  const file = shown.find((part) => part.type === 'file' && !isReadableFile(part))
  if (file?.type !== 'file') return
  const reason = `This model cannot read files of the type ${file.media_type}. Leave the file out, or send it in another form.`
  throw callFailure({ failure: 'bad_request', retryable: false, reason })
}

function declarationOf({ name, description, parameters }: ModelTool, names: ToolNames, asOpenApi: boolean): JsonObject {
  const declared = { name: names.wire(name), description }
  const { $schema: _, ...schema } = withoutEmptyValues(parameters)
  // Some models refuse an object without members.
  const isEmpty =
    Object.keys(objectAt(schema, 'properties') ?? {}).length === 0 && schema['$ref'] === undefined && schema['anyOf'] === undefined
  if (isEmpty) return declared
  return asOpenApi ? { ...declared, parameters: toOpenApiSchema(schema) } : { ...declared, parametersJsonSchema: schema }
}

/** Arguments follow their schemas in every mode but `AUTO`; `VALIDATED` is that mode with schemas. */
function callingOf({ toolChoice: choice, tools }: ModelRequest, names: ToolNames): JsonObject | undefined {
  const isStrict = tools.some(({ strict }) => strict === true)
  if (isStrict && (choice === undefined || choice === 'auto')) return { mode: 'VALIDATED' }
  if (choice === undefined) return undefined
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [names.wire(choice.name)] }
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() }
}

function formatOf(given: JsonObject, asOpenApi: boolean): JsonObject {
  const { $schema: _, ...schema } = withoutEmptyValues(given)
  const as = asOpenApi ? { responseSchema: toOpenApiSchema(schema) } : { responseJsonSchema: schema }
  return { responseMimeType: 'application/json', ...as }
}

const schemaInstruction = (schema: JsonObject): JsonObject => ({
  text: `Give the final answer as one JSON object that follows this JSON Schema, and nothing else: ${JSON.stringify(schema)}`,
})

/** The typed settings under their wire names; absent ones are left to the vendor. */
function generationOf(request: ModelRequest): JsonObject {
  const { settings, logprobs } = request
  const thinking = settings['thinking_config']
  const { thinking_budget: thinkingBudget, include_thoughts: includeThoughts } = isObject(thinking) ? thinking : {}
  const thinkingConfig = withoutAbsent({ thinkingBudget, includeThoughts })
  return withoutAbsent({
    temperature: settings.temperature,
    topP: settings['top_p'],
    topK: settings['top_k'],
    maxOutputTokens: settings.max_tokens,
    stopSequences: settings['stop_sequences'],
    candidateCount: settings['candidate_count'],
    responseLogprobs: logprobs && true,
    logprobs: logprobs && logprobs.top > 0 ? logprobs.top : undefined,
    mediaResolution: mediaResolution(request),
    thinkingConfig: Object.keys(thinkingConfig).length > 0 ? thinkingConfig : undefined,
  })
}

const withoutAbsent = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
