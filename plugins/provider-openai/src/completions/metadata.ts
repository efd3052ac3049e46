import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { listAt } from '../json.js'

const rootNames = [
  'service_tier',
  'system_fingerprint',
  'provider',
  'citations',
  'search_results',
  'hash',
  'public_key',
  'signature',
  'attestation',
  'tx_hash',
] as const

/** What else a vendor said that may matter later: tier, citations, attestations. */
export function metadataOf(chunk: JsonObject): JsonObject {
  const found: Record<string, JsonValue> = {}
  for (const name of rootNames) {
    const value = chunk[name]
    if (value !== undefined && value !== null) found[name] = value
  }
  const choice = listAt(chunk, 'choices')[0] as JsonObject | undefined | null
  const native = choice?.['native_finish_reason']
  if (typeof native === 'string') found['native_finish_reason'] = native
  return found
}
