import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { describedSchema, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildMessages, buildSystem, laterSystemText } from './build-messages.js'
import { opaqueVendor } from './opaque-reasoning.js'
import { isReasoningForced, outputConfig, type StructuredForm } from './structured-answer.js'
import { createWireNames } from './wire-names.js'

/** Options for building a request. */
export interface RequestForm {
  readonly structured: StructuredForm | undefined
  /** Prompts get cache marks. */
  readonly cachePoints: boolean
  /** Results may report that their tool failed. */
  readonly status: boolean
}

const cachePoint: JsonObject = { cachePoint: { type: 'default' } }
const noTools = 'Answer now, without calling a tool.'

/** The names of tools of a request on their way to the vendor and back. */
export const wireNamesOf = (request: ModelRequest, structured: StructuredForm | undefined): ToolNames =>
  createWireNames([
    ...request.tools.map(({ name }) => name),
    ...calledNames(request),
    ...(structured?.kind === 'tool' ? [structured.name] : []),
  ])

/**
 * The JSON body of a Converse request: mapped, then merged with `extraParams`. The order of its
 * keys is fixed, so that prefixes can be cached.
 */
export function buildRequestBody(request: ModelRequest, form: RequestForm): JsonObject {
  const names = wireNamesOf(request, form.structured)
  const { toolConfig, instruction } = toolsOf(request, form.structured, names)
  const system = [...buildSystem(request.messages), ...(instruction === undefined ? [] : [{ text: instruction }])]
  const vendor = opaqueVendor(request.connection.brand, request.model)
  const messages = buildMessages(request.messages, { vendor, names, status: form.status })
  const inference = inferenceConfig(request)
  const body: JsonObject = {
    ...(toolConfig && { toolConfig }),
    ...(system.length > 0 && { system: form.cachePoints ? [...system, cachePoint] : system }),
    messages: form.cachePoints ? withCachePoint(messages) : messages,
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(request.responseSchema && form.structured?.kind === 'outputConfig' && { outputConfig: outputConfig(request.responseSchema) }),
  }
  return mergeExtraParameters(body, request.extraParams)
}

/**
 * After the last user message: the prefix comes again with the next request. A system text after
 * the conversation changes with each call, and comes after the point.
 */
function withCachePoint(messages: readonly JsonObject[]): readonly JsonObject[] {
  const last = messages.at(-1)
  if (last?.['role'] !== 'user' || !Array.isArray(last['content'])) return messages
  const content = last['content'] as readonly JsonObject[]
  const constant = content.findLastIndex(({ text }) => typeof text !== 'string' || !text.startsWith(laterSystemText)) + 1
  const place = constant === 0 ? content.length : constant
  return [...messages.slice(0, -1), { ...last, content: [...content.slice(0, place), cachePoint, ...content.slice(place)] }]
}

function inferenceConfig({ settings }: ModelRequest): JsonObject {
  const { max_tokens: maxTokens, temperature, top_p: topP, stop_sequences: stopSequences, ...others } = settings
  return withoutAbsent({ maxTokens, temperature, topP, stopSequences, ...others })
}

const withoutAbsent = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))

interface Tools {
  readonly toolConfig?: JsonObject
  /** What the protocol cannot express. */
  readonly instruction?: string
}

/**
 * The tools of a request. A conversation with calls in it has to have tools, even if none may be
 * called any more.
 */
function toolsOf(request: ModelRequest, structured: StructuredForm | undefined, names: ToolNames): Tools {
  const called = calledNames(request)
  const isForbidden = request.toolChoice === 'none' || request.tools.length === 0
  if (structured?.kind === 'tool' && request.responseSchema) {
    const answer: ModelTool = {
      name: structured.name,
      description: 'Gives the answer. Call it once, with the whole answer as its arguments.',
      parameters: describedSchema(request.responseSchema),
    }
    const specs = [...request.tools, ...(request.tools.length === 0 ? placeholders(called) : []), answer].map((tool) => specOf(tool, names))
    const choice: JsonObject = isForbidden ? { tool: { name: names.wire(structured.name) } } : { any: {} }
    return isReasoningForced(request)
      ? { toolConfig: { tools: specs }, instruction: `Give your answer by calling the tool ${names.wire(structured.name)}.` }
      : { toolConfig: { tools: specs, toolChoice: choice } }
  }
  if (!isForbidden) {
    const choice = wireToolChoice(request, names)
    return { toolConfig: { tools: request.tools.map((tool) => specOf(tool, names)), ...(choice && { toolChoice: choice }) } }
  }
  if (called.length === 0) return {}
  const tools = request.tools.length > 0 ? request.tools : placeholders(called)
  return { toolConfig: { tools: tools.map((tool) => specOf(tool, names)) }, instruction: noTools }
}

/** The names of the called tools, each once, in order. */
const calledNames = ({ messages }: ModelRequest): readonly string[] => [
  ...new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool_call' || part.type === 'tool_result' ? [part.name] : [])),
    ),
  ),
]

const placeholders = (called: readonly string[]): readonly ModelTool[] =>
  called.map((name) => ({ name, description: 'Not available any more.', parameters: { type: 'object', properties: {} } }))

const specOf = ({ name, description, parameters }: ModelTool, names: ToolNames): JsonObject => ({
  toolSpec: { name: names.wire(name), ...(description !== '' && { description }), inputSchema: { json: parameters } },
})

function wireToolChoice({ toolChoice }: ModelRequest, names: ToolNames): JsonObject | undefined {
  if (typeof toolChoice === 'object') return { tool: { name: names.wire(toolChoice.name) } }
  if (toolChoice === 'required') return { any: {} }
  return toolChoice === 'auto' ? { auto: {} } : undefined
}
