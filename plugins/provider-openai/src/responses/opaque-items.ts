import type { JsonObject } from '@agent-service/sdk'
import type { OpaquePart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, listAt, textAt } from '@agent-service/sdk/provider-kit'

/** The vendor of opaque parts: brand and model, since encrypted reasoning is bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `openai-responses:${brand}:${model}`

/** The opaque data of a part, if it is from the vendor that is called. */
export const opaqueItem = (opaque: OpaquePart | undefined, vendor: string): JsonObject | undefined =>
  opaque && opaque.vendor === vendor && isObject(opaque.data) ? opaque.data : undefined

/**
 * An item as it goes back: as it came. Reasoning that is neither encrypted nor readable stays out:
 * nothing is stored at the vendor, so that its id alone would be refused. `ids: false` leaves out
 * the id.
 */
export function replayedItem(item: JsonObject, { ids }: { readonly ids: boolean }): readonly JsonObject[] {
  if (textAt(item, 'type') === 'reasoning' && textAt(item, 'encrypted_content') === undefined && listAt(item, 'content').length === 0)
    return []
  if (ids) return [item]
  const { id: _, ...rest } = item
  return [rest]
}
