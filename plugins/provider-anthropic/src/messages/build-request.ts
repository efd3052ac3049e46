import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { describedSchema, isObject, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { buildConversation, type WireMessage } from './build-messages.js'
import { withBreakpoints } from './cache-breakpoints.js'
import { opaqueVendor } from './opaque-blocks.js'
import type { MessagesQuirks } from './quirks.js'
import { refuseUnsendable } from './refuse-unsendable.js'
import { answerTool, answerToolName, fitSchema } from './structured-output.js'
import { planThinking } from './thinking.js'
import { toolNamesOf } from './wire-names.js'

/** Sent if no limit is set: the protocol requires one. Usually the host sets it. */
const defaultMaxTokens = 8_192

/** How a request is built. */
export interface RequestMeans {
  readonly quirks: MessagesQuirks
  /** The model refuses `temperature` together with `top_p`; only the first is sent. */
  readonly oneSampling: boolean
}

/**
 * The JSON body of a messages request: mapped, then merged with `extraParams`. The order of its
 * keys is fixed.
 */
export function buildRequestBody(request: ModelRequest, { quirks, oneSampling }: RequestMeans): JsonObject {
  const names = toolNamesOf(request)
  const vendor = opaqueVendor(request.connection.brand, request.model)
  const conversation = buildConversation(request.messages, { vendor, names, unsignedThinking: quirks.unsignedThinking })
  const answer = answerToolName(request, quirks, names)
  const tools = toolsOf(request, { names, answer, messages: conversation.messages })
  const choice = singleCalls(
    request,
    toolChoiceOf(request, { names, answer, offersOnlyKnown: request.tools.length === 0 && tools.length > 0 }),
  )
  const { stop_sequences: stopSequences, max_tokens: maxTokens = defaultMaxTokens } = request.settings
  const sampling = planThinking(request.settings, {
    maxTokens,
    forcesTool: choice?.['type'] === 'any' || choice?.['type'] === 'tool',
    messages: conversation.messages,
  }).body
  const parts = { tools, system: conversation.system, messages: conversation.messages }
  const cached = quirks.promptCaching ? withBreakpoints(parts) : parts
  const { top_p: topP, ...others } = sampling
  const sendsTopP = topP !== undefined && !(oneSampling && others['temperature'] !== undefined)
  refuseUnsendable(request, { sampling: sendsTopP ? sampling : others, answersByTool: answer !== undefined })
  const body: JsonObject = {
    model: request.model,
    max_tokens: maxTokens,
    ...(cached.system.length > 0 && { system: [...cached.system] }),
    ...(cached.tools.length > 0 && { tools: [...cached.tools] }),
    ...(choice && { tool_choice: choice }),
    messages: cached.messages.map(({ role, content }) => ({ role, content: [...content] })),
    ...others,
    ...(sendsTopP && { top_p: topP }),
    ...(stopSequences !== undefined && { stop_sequences: stopSequences }),
    ...(request.responseSchema &&
      answer === undefined && {
        output_config: { format: { type: 'json_schema', schema: fitSchema(describedSchema(request.responseSchema)) } },
      }),
    ...(request.stream && { stream: true }),
  }
  return mergeExtraParameters(body, request.extraParams)
}

interface ToolMeans {
  readonly names: ToolNames
  /** The tool that takes the answer, if there is one. */
  readonly answer: string | undefined
}

/**
 * The tools of a request. A conversation with calls needs their declarations even if no tool may be
 * called.
 */
function toolsOf(
  request: ModelRequest,
  { names, answer, messages }: ToolMeans & { readonly messages: readonly WireMessage[] },
): readonly JsonObject[] {
  const offered = request.tools.map(({ name, description, parameters, strict }) => ({
    name: names.wire(name),
    description,
    input_schema: { ...(strict === true ? parameters : withSendableNames(parameters)), type: 'object' },
    ...(strict !== undefined && { strict }),
  }))
  const own = answer === undefined || !request.responseSchema ? [] : [answerTool(answer, describedSchema(request.responseSchema))]
  return offered.length > 0 || own.length > 0 ? [...offered, ...own] : calledTools(messages)
}

/** The names of members that the vendor takes; it refuses the whole request for any other. */
const sendableName = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * A schema of arguments without the members that the vendor would refuse. A call that needs one of
 * them gets its error from the tool.
 */
function withSendableNames(parameters: JsonObject): JsonObject {
  const { properties, required } = parameters
  if (!isObject(properties) || Object.keys(properties).every((name) => sendableName.test(name))) return parameters
  return {
    ...parameters,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => sendableName.test(name))),
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === 'string' && sendableName.test(name)) }),
  }
}

function calledTools(messages: readonly WireMessage[]): readonly JsonObject[] {
  const called = messages.flatMap(({ content }) =>
    content.flatMap(({ type, name }) => (type === 'tool_use' && typeof name === 'string' ? [name] : [])),
  )
  return [...new Set(called)].map((name) => ({ name, description: 'Not offered any more.', input_schema: { type: 'object' } }))
}

function toolChoiceOf(
  { toolChoice, tools }: ModelRequest,
  { names, answer, offersOnlyKnown }: ToolMeans & { readonly offersOnlyKnown: boolean },
): JsonObject | undefined {
  if (answer !== undefined) {
    const isFree = tools.length > 0 && toolChoice !== 'none' && typeof toolChoice !== 'object'
    return isFree ? { type: 'any' } : { type: 'tool', name: typeof toolChoice === 'object' ? names.wire(toolChoice.name) : answer }
  }
  if (offersOnlyKnown) return { type: 'none' }
  return toolChoice === undefined || tools.length === 0 ? undefined : wireToolChoice(toolChoice, names)
}

/** The choice with the limit of one call; the protocol has it inside. */
function singleCalls({ parallelToolCalls, tools }: ModelRequest, choice: JsonObject | undefined): JsonObject | undefined {
  if (parallelToolCalls !== false || tools.length === 0 || choice?.['type'] === 'none') return choice
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true }
}

function wireToolChoice(choice: ToolChoice, names: ToolNames): JsonObject {
  if (typeof choice === 'object') return { type: 'tool', name: names.wire(choice.name) }
  return { type: choice === 'required' ? 'any' : choice }
}
