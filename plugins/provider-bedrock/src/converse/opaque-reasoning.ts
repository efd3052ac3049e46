import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** The vendor of opaque parts: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `bedrock-converse:${brand}:${model}`

/** A block of reasoning as an answer has it. */
export interface ReasoningBlock {
  readonly text: string
  readonly signature: string | undefined
  /** Base64, if the vendor shows nothing. */
  readonly redacted: string | undefined
}

/** Reads the `reasoningContent` of an answer in one piece. */
export const readReasoning = (content: JsonObject): ReasoningBlock => ({
  text: textAt(objectAt(content, 'reasoningText'), 'text') ?? '',
  signature: textAt(objectAt(content, 'reasoningText'), 'signature'),
  redacted: textAt(content, 'redactedContent'),
})

/**
 * The part of a block; `undefined` for an empty one. Without a signature or redacted content it
 * does not go back.
 */
export function reasoningPart({ text, signature, redacted }: ReasoningBlock, vendor: string): ReasoningPart | undefined {
  const data: JsonObject | undefined =
    redacted !== undefined ? { redactedContent: redacted } : signature !== undefined ? { reasoningText: { text, signature } } : undefined
  if (text === '' && !data) return undefined
  return { type: 'reasoning', text, ...(data && { opaque: { vendor, data } }) }
}

/**
 * The block to send back, for reasoning that this vendor signed or redacted; `undefined` for any
 * other.
 */
export function reasoningEcho({ opaque }: ReasoningPart, vendor: string): JsonObject | undefined {
  if (!opaque || opaque.vendor !== vendor) return undefined
  const data: JsonValue = opaque.data
  return isObject(data) ? { reasoningContent: data } : undefined
}
