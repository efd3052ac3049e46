import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** Who can read an opaque part of this protocol: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `bedrock-converse:${brand}:${model}`

/** A block of reasoning as an answer has it. */
export interface ReasoningBlock {
  readonly text: string
  readonly signature: string | undefined
  /** Base64, where the vendor shows nothing. */
  readonly redacted: string | undefined
}

/** Reads the `reasoningContent` of an answer in one piece. */
export const readReasoning = (content: JsonObject): ReasoningBlock => ({
  text: textAt(objectAt(content, 'reasoningText'), 'text') ?? '',
  signature: textAt(objectAt(content, 'reasoningText'), 'signature'),
  redacted: textAt(content, 'redactedContent'),
})

/** The part of a block; nothing for one that is empty. What has neither a signature nor redacted content is not wanted back by anybody. */
export function reasoningPart({ text, signature, redacted }: ReasoningBlock, vendor: string): ReasoningPart | undefined {
  const data: JsonObject | undefined =
    redacted !== undefined ? { redactedContent: redacted } : signature !== undefined ? { reasoningText: { text, signature } } : undefined
  if (text === '' && !data) return undefined
  return { type: 'reasoning', text, ...(data && { opaque: { vendor, data } }) }
}

/** The block that goes back, for reasoning that this very vendor signed or redacted; nothing for any other. */
export function reasoningEcho({ opaque }: ReasoningPart, vendor: string): JsonObject | undefined {
  if (!opaque || opaque.vendor !== vendor) return undefined
  const data: JsonValue = opaque.data
  return isObject(data) ? { reasoningContent: data } : undefined
}
