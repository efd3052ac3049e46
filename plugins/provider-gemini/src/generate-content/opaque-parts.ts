import type { JsonObject } from '@agent-service/sdk'
import type { OpaquePart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** The vendor of opaque parts: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `google-generate-content:${brand}:${model}`

/**
 * What goes back with a part of an answer: its signature, the vendor's id of a call, or a whole
 * unknown part.
 */
export interface PartData {
  readonly thoughtSignature?: string
  readonly id?: string
  readonly part?: JsonObject
}

/** The opaque data; `undefined` if there is none. */
export function opaqueOf(vendor: string, data: PartData): { readonly opaque?: OpaquePart } {
  const kept = Object.entries(data).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? {} : { opaque: { vendor, data: Object.fromEntries(kept) as JsonObject } }
}

/** The opaque data of this vendor; `undefined` for other vendors. */
export function dataOf(opaque: OpaquePart | undefined, vendor: string): PartData {
  if (!opaque || opaque.vendor !== vendor || !isObject(opaque.data)) return {}
  const thoughtSignature = textAt(opaque.data, 'thoughtSignature')
  const id = textAt(opaque.data, 'id')
  const part = objectAt(opaque.data, 'part')
  return { ...(thoughtSignature !== undefined && { thoughtSignature }), ...(id !== undefined && { id }), ...(part && { part }) }
}
