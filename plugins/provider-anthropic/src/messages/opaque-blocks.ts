import type { JsonObject } from '@agent-service/sdk'
import type { ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, listAt, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** The vendor of opaque parts: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `anthropic-messages:${brand}:${model}`

/**
 * The block that a part of reasoning goes back as: thinking with its signature, or the block that
 * came, byte for byte. `undefined` for reasoning of another vendor or model, and for thinking
 * without a signature, which is refused.
 */
export function reasoningBlock(part: ReasoningPart, vendor: string, means: { readonly unsignedThinking: boolean }): JsonObject | undefined {
  const data = dataOf(part, vendor)
  if (!data) return undefined
  if (data['type'] !== 'thinking') return data
  const signature = textAt(data, 'signature')
  if (signature === undefined && !means.unsignedThinking) return undefined
  return { type: 'thinking', thinking: part.text, signature: signature ?? '' }
}

/** Further members of a text: its citations. */
export function textMembers(part: TextPart, vendor: string): JsonObject {
  const citations = listAt(dataOf(part, vendor), 'citations')
  return citations.length === 0 ? {} : { citations: [...citations] }
}

/** Further members of a call: its caller, unless that is the model itself. */
export function callMembers(part: ToolCallPart, vendor: string): JsonObject {
  const caller = objectAt(dataOf(part, vendor), 'caller')
  return caller ? { caller } : {}
}

function dataOf({ opaque }: TextPart | ReasoningPart | ToolCallPart, vendor: string): JsonObject | undefined {
  return opaque && opaque.vendor === vendor && isObject(opaque.data) ? opaque.data : undefined
}
