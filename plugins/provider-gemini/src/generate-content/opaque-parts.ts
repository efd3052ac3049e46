import type { JsonObject } from '@agent-service/sdk'
import type { OpaquePart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** Who can read an opaque part of this protocol: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `google-generate-content:${brand}:${model}`

/** What a part of an answer must take back: its signature, the vendor's id of a call, or a whole part that nobody here reads. */
export interface PartData {
  readonly thoughtSignature?: string
  readonly id?: string
  readonly part?: JsonObject
}

/** Keeps it; nothing where there is nothing to keep. */
export function opaqueOf(vendor: string, data: PartData): { readonly opaque?: OpaquePart } {
  const kept = Object.entries(data).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? {} : { opaque: { vendor, data: Object.fromEntries(kept) as JsonObject } }
}

/** What was kept for this vendor; nothing of what others keep. */
export function dataOf(opaque: OpaquePart | undefined, vendor: string): PartData {
  if (!opaque || opaque.vendor !== vendor || !isObject(opaque.data)) return {}
  const thoughtSignature = textAt(opaque.data, 'thoughtSignature')
  const id = textAt(opaque.data, 'id')
  const part = objectAt(opaque.data, 'part')
  return { ...(thoughtSignature !== undefined && { thoughtSignature }), ...(id !== undefined && { id }), ...(part && { part }) }
}
