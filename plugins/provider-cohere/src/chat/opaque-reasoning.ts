import type { JsonObject } from '@agent-service/sdk'
import type { OpaquePart, ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** Who can read an opaque part of this protocol: brand and model. */
export const opaqueVendor = (brand: string, model: string): string => `cohere-chat:${brand}:${model}`

/** A content part of type `thinking`, kept whole so that members that are not known here go back too. */
export const thinkingOf = (vendor: string, part: JsonObject): OpaquePart => ({ vendor, data: { thinking: part } })

/** The plan that a model tells before its calls. */
export const toolPlanOf = (vendor: string, plan: string): OpaquePart => ({ vendor, data: { tool_plan: plan } })

/** What of a turn's reasoning goes back: content parts, and the plan. Reasoning of other vendors and models does not. */
export function echoOf(
  parts: readonly ReasoningPart[],
  vendor: string,
): { readonly thinking: readonly JsonObject[]; readonly toolPlan: string | undefined } {
  const data = parts.flatMap(({ opaque }) => (opaque?.vendor === vendor && isObject(opaque.data) ? [opaque.data] : []))
  const plans = data.flatMap((entry) => textAt(entry, 'tool_plan') ?? [])
  const thinking = data.map((entry) => objectAt(entry, 'thinking')).filter((part) => part !== undefined)
  return { thinking, toolPlan: plans.length > 0 ? plans.join('') : undefined }
}
