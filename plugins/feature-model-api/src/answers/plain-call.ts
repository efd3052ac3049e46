import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import { groupNamed } from '../caller.js'
import { readFormat, readTool, readToolChoice } from '../messages/tool-choice.js'

/** The members that both protocols have. */
interface CallMembers {
  readonly model: string
  readonly stream?: unknown
  readonly tools?: readonly unknown[] | null
  readonly tool_choice?: unknown
  readonly parallel_tool_calls?: unknown
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
  }: {
    readonly own: OwnParts
    readonly format: readonly [value: unknown, at: string]
    readonly userId: string
    readonly inference: Inference
  },
): InferenceRequest {
  const choice = readToolChoice(body.tool_choice as never)
  const [wanted, at] = format
  return {
    ...own,
    group: groupNamed(body.model, inference),
    tools: (body.tools ?? []).map((tool, index) => readTool(tool as never, `tools[${index}]`)),
    ...(choice !== undefined && { toolChoice: choice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...readFormat(wanted as never, at),
    stream: body.stream === true,
    ...(body.stream === true && { restarts: 'never' }),
    exact: true,
    attribution: { userId },
  }
}
