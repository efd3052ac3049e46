import type { JsonObject, JsonValue } from '../../core/json.js'
import { listAt } from '../common/json.js'

const rootNames: ReadonlySet<string> = new Set([
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
])

/** Adds the vendor's metadata: tier, citations, attestations. */
export function readMetadata(chunk: JsonObject, metadata: Record<string, JsonValue>): void {
  for (const name in chunk) {
    const value = chunk[name]
    if (rootNames.has(name) && value !== undefined && value !== null) metadata[name] = value
  }
  const native = (listAt(chunk, 'choices')[0] as JsonObject | undefined | null)?.['native_finish_reason']
  if (typeof native === 'string') metadata['native_finish_reason'] = native
}
