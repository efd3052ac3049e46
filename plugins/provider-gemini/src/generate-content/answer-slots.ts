import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ImagePart, ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { opaqueOf, type PartData } from './opaque-parts.js'

/** One part of an answer so far. */
export type AnswerSlot =
  | { readonly kind: 'text' | 'thought'; text: string; readonly signature: string | undefined }
  | { readonly kind: 'call'; readonly call: AnswerCall }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string; readonly signature: string | undefined }
  | { readonly kind: 'other'; readonly part: JsonObject }

/** A call. */
export interface AnswerCall {
  /** The vendor's id, or one of our own. */
  readonly id: string
  /** The id is the vendor's and must go back. */
  readonly hasVendorId: boolean
  readonly name: string
  readonly signature: string | undefined
  arguments: Record<string, JsonValue>
  /** It is complete. */
  ended: boolean
}

/** The part of a slot. */
export function partOf(slot: AnswerSlot, vendor: string): TextPart | ReasoningPart | ToolCallPart | ImagePart {
  switch (slot.kind) {
    case 'text':
      return { type: 'text', text: slot.text, ...kept(vendor, slot.signature) }
    case 'thought':
      return { type: 'reasoning', text: slot.text, ...kept(vendor, slot.signature) }
    case 'image':
      return { type: 'image', media_type: slot.mediaType, data: slot.data, ...kept(vendor, slot.signature) }
    case 'other':
      return { type: 'reasoning', text: '', ...opaqueOf(vendor, { part: slot.part }) }
    case 'call': {
      const { id, name, hasVendorId, signature, arguments: given } = slot.call
      const base = { type: 'tool_call', call_id: id, provider_call_id: id, name, arguments: given } as const
      return { ...base, ...kept(vendor, signature, hasVendorId ? { id } : {}) }
    }
  }
}

const kept = (vendor: string, thoughtSignature: string | undefined, more: PartData = {}) =>
  opaqueOf(vendor, { ...(thoughtSignature !== undefined && { thoughtSignature }), ...more })
