import type { JsonObject, JsonValue } from '@agent-service/sdk'

const maxBytes = 16 * 1024
const maxText = 1_000
const maxItems = 20

const sizeOf = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value))

/**
 * A state bounded for an audit entry: complete up to 16 KiB of JSON. In a larger one, texts are cut
 * after 1,000 characters and lists after 20 items; if it is still too large, only the names and
 * sizes of its members are kept.
 */
export function boundedState(state: JsonObject): JsonObject {
  if (sizeOf(state) <= maxBytes) return state
  const cut = Object.fromEntries(Object.entries(state).map(([name, value]) => [name, shortened(value)]))
  if (sizeOf(cut) <= maxBytes) return cut
  const names = Object.keys(state)
  const shown = names.slice(0, maxItems).map((name): [string, JsonValue] => [name.slice(0, 200), `${sizeOf(state[name] ?? null)} bytes`])
  return { ...Object.fromEntries(shown), ...(names.length > maxItems ? { '…': `${names.length - maxItems} more` } : {}) }
}

function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length <= maxText ? value : `${value.slice(0, maxText)}… (${value.length} characters)`
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item: JsonValue) => shortened(item))
    return value.length > maxItems ? [...items, `… (${value.length} items)`] : items
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}
