import type { ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { toolsAsText } from '@agent-service/sdk/provider-kit'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import type { Omission } from './part-omissions.js'
import { type RefusedTools, refusesTools } from './refused-tools.js'

/** Whether one target is sent the tools of a request. */
export interface ToolOmission {
  /** What is left out from the first attempt on, since the target has refused it before. */
  readonly known: Omission | undefined
  /** The request, without tools if they are left out; calls and results of its history are text then. */
  apply(request: InferenceRequest): InferenceRequest
  /** Leaves out the tools after a failed attempt; `undefined` if that cannot help. */
  after(failure: ServiceError): Omission | undefined
  /** The target has answered: later requests go without tools at once if this one did. */
  settle(): void
}

/** A caller who wants the request exactly, or a call of a tool, gets nothing left out. */
export function openToolOmission(request: InferenceRequest, target: string, refusedTools: RefusedTools): ToolOmission {
  const { tools, toolChoice = 'auto' } = request
  const mayOmit = request.exact !== true && tools.length > 0 && (toolChoice === 'auto' || toolChoice === 'none')
  const userId = request.attribution?.userId
  const before = mayOmit ? refusedTools.reasonOf(target, userId) : undefined
  let reason = before
  /** Another model of a group may take the tools that an adapter cannot send, so that is not remembered. */
  let isOfVendor = false
  /** The refusal came again without tools, so it was about something else that repeats such words. */
  let isInVain = false
  return {
    known: before === undefined ? undefined : { count: tools.length, reason: before },
    apply(asked) {
      if (reason === undefined || isInVain) return asked
      const { toolChoice: _, parallelToolCalls: __, ...rest } = asked
      return { ...rest, tools: [], messages: asked.messages.map(toolsAsText) }
    },
    after(failure) {
      if (!mayOmit || !refusesTools(failure)) return undefined
      if (reason !== undefined) {
        isInVain = true
        return undefined
      }
      reason = String(failure.details['reason'])
      isOfVendor = providerError.isInstance(failure)
      return { count: tools.length, reason }
    },
    settle() {
      if (reason !== undefined && before === undefined && isOfVendor && !isInVain) refusedTools.remember(target, userId, reason)
    },
  }
}
