import type { JsonObject } from '@agent-service/sdk'
import type { OpaquePart, ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** The vendor of opaque parts: brand and model. */
export const opaqueVendor = (brand: string, model: string): string => `cohere-chat:${brand}:${model}`

/** A content part of type `thinking`, kept whole so that unknown members go back too. */
export const thinkingOf = (vendor: string, part: JsonObject): OpaquePart => ({ vendor, data: { thinking: part } })

/** The plan that a model writes before its calls. */
export const toolPlanOf = (vendor: string, plan: string): OpaquePart => ({ vendor, data: { tool_plan: plan } })

/**
 * The reasoning of a turn to send back: content parts, and the plan. None of other vendors and
 * models.
 */
export function echoOf(
  parts: readonly ReasoningPart[],
  vendor: string,
): { readonly thinking: readonly JsonObject[]; readonly toolPlan: string | undefined } {
  const data = parts.flatMap(({ opaque }) => (opaque?.vendor === vendor && isObject(opaque.data) ? [opaque.data] : []))
  const plans = data.flatMap((entry) => textAt(entry, 'tool_plan') ?? [])
  const thinking = data.map((entry) => objectAt(entry, 'thinking')).filter((part) => part !== undefined)
  return { thinking, toolPlan: plans.length > 0 ? plans.join('') : undefined }
}
