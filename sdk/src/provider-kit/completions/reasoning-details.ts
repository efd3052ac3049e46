import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject } from '../common/json.js'

/**
 * Merges streamed `reasoning_details`: entries of one `index` and type are one entry whose texts
 * are joined, in order of arrival; every other member keeps its last value that is not null.
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
