import type { OpaquePart } from '../../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject, textAt } from '../common/json.js'

/**
 * The members that an assistant message gets back so that the vendor finds its own reasoning again;
 * none for an opaque part of another vendor.
 */
export function completionsEchoOf(opaque: OpaquePart | undefined, reasoning: string, vendor: string): JsonObject {
  if (!opaque || opaque.vendor !== vendor || !isObject(opaque.data)) return {}
  switch (textAt(opaque.data, 'field')) {
    case 'reasoning_content':
      return { reasoning_content: reasoning }
    case 'reasoning_opaque':
      return { ...(reasoning !== '' && { reasoning_text: reasoning }), reasoning_opaque: opaque.data['value'] ?? '' }
    case 'reasoning_details':
      return { reasoning_details: opaque.data['value'] ?? [] }
    default:
      return {}
  }
}

/**
 * Content parts of an assistant message that carry reasoning, for vendors that keep it there; none
 * for an opaque part of another vendor.
 */
export function completionsContentEchoOf(opaque: OpaquePart | undefined, vendor: string): readonly JsonValue[] {
  if (!opaque || opaque.vendor !== vendor || textAt(opaque.data, 'field') !== 'content' || !isObject(opaque.data)) return []
  const parts = opaque.data['value']
  return Array.isArray(parts) ? parts : []
}
