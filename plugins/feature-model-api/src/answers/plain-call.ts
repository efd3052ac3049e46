import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import { groupNamed } from '../caller.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { readAllowedTools } from '../messages/allowed-tools.js'
import { readFunction, readTools } from '../messages/read-tools.js'
import { functionChoice, readFormat, readToolChoice } from '../messages/tool-choice.js'
import type { ToolNames } from '../messages/tool-names.js'
import { unsupportedParameterError } from '../openai-error.js'

/** The members that both protocols have. */
interface CallMembers {
  readonly model: string
  readonly stream?: unknown
  readonly tools?: readonly unknown[] | null
  readonly tool_choice?: unknown
  readonly parallel_tool_calls?: unknown
  /** Only of chat completions: the form before `tools`. */
  readonly functions?: readonly unknown[] | null
  readonly function_call?: unknown
}

/** What each protocol reads in its own way. */
type OwnParts = Pick<InferenceRequest, 'messages' | 'settings' | 'logprobs' | 'logitBias'>

/** One inference through the model group that a request names. `format`: the wanted form of the text, and its path. */
export function plainCall(
  body: CallMembers,
  {
    own,
    format,
    userId,
    inference,
    ignored,
    names,
  }: {
    readonly own: OwnParts
    readonly format: readonly [value: unknown, at: string]
    readonly userId: string
    readonly inference: Inference
    readonly ignored: IgnoredFields
    /** Of a protocol that has namespaces of tools. */
    readonly names?: ToolNames
  },
): InferenceRequest {
  const [wanted, at] = format
  return {
    ...own,
    group: groupNamed(body.model, inference),
    ...toolsOf(body, ignored, names),
    ...readFormat(wanted as never, at, ignored),
    stream: body.stream === true,
    ...(body.stream === true && { restarts: 'never' }),
    exact: true,
    attribution: { userId },
  }
}

/** The tools of a request, and how they are to be called. Without tools, only calling one can be asked for in vain. */
function toolsOf(
  body: CallMembers,
  ignored: IgnoredFields,
  names?: ToolNames,
): Pick<InferenceRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'> {
  const offered = [
    ...readTools((body.tools ?? []) as never, 'tools', ignored, names),
    ...(body.functions ?? []).map((given, index) => readFunction(given, `functions[${index}]`, ignored)),
  ]
  const offer = { tools: offered, names }
  const allowed = readAllowedTools(body.tool_choice as never, offer, ignored)
  const { tools } = allowed ?? offer
  const choice = functionChoice(body.function_call) ?? allowed?.toolChoice ?? readToolChoice(body.tool_choice as never, offer, ignored)
  if (tools.length === 0) {
    if (choice === undefined || choice === 'auto' || choice === 'none') return { tools }
    const param = body.tool_choice === undefined || body.tool_choice === null ? 'function_call' : 'tool_choice'
    throw unsupportedParameterError.create({ param, reason: 'asks for a call, but there are no tools. Send them, or remove it.' })
  }
  return {
    tools,
    ...(choice !== undefined && { toolChoice: choice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
  }
}
