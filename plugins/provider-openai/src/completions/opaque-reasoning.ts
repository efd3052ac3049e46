import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { OpaquePart } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, textAt } from '@agent-service/sdk/provider-kit'

/** Who can read an opaque part of this protocol: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `openai-completions:${brand}:${model}`

/** The members that an assistant message gets back so that the vendor finds its own reasoning again. */
export function echoOf(opaque: OpaquePart | undefined, reasoning: string, vendor: string): JsonObject {
  if (!opaque || opaque.vendor !== vendor || !isObject(opaque.data)) return {}
  switch (textAt(opaque.data, 'field')) {
    case 'reasoning_content':
      return { reasoning_content: reasoning }
    case 'reasoning_details':
      return { reasoning_details: opaque.data['value'] ?? [] }
    default:
      return {}
  }
}

/** Content parts of an assistant message that carry reasoning, for vendors that keep it there. */
export function contentEchoOf(opaque: OpaquePart | undefined, vendor: string): readonly JsonValue[] {
  if (!opaque || opaque.vendor !== vendor || textAt(opaque.data, 'field') !== 'content' || !isObject(opaque.data)) return []
  const parts = opaque.data['value']
  return Array.isArray(parts) ? parts : []
}

/**
 * Merges streamed `reasoning_details`: entries of one `index` and type are one entry whose texts are joined, in order of arrival; every other
 * member keeps its last value that is not null.
 */
export function mergeReasoningDetails(details: JsonValue[], more: readonly JsonValue[]): void {
  for (const entry of more) {
    const position = isObject(entry) && entry['index'] !== undefined ? details.findIndex((known) => isSameDetail(known, entry)) : -1
    const known = position < 0 ? undefined : details[position]
    if (!isObject(known) || !isObject(entry)) {
      details.push(entry)
      continue
    }
    const merged: Record<string, JsonValue> = { ...known }
    for (const [name, value] of Object.entries(entry)) {
      const before = merged[name]
      if ((name === 'text' || name === 'summary' || name === 'data') && typeof before === 'string' && typeof value === 'string')
        merged[name] = before + value
      else if (value !== null || before === undefined) merged[name] = value
    }
    details[position] = merged
  }
}

const isSameDetail = (known: JsonValue, entry: JsonObject): boolean =>
  isObject(known) && known['index'] === entry['index'] && known['type'] === entry['type']
