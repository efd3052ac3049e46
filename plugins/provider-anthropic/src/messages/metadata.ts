import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { textAt } from '@agent-service/sdk/provider-kit'

const names = ['stop_sequence', 'stop_details', 'container', 'context_management'] as const

/** Adds the vendor's metadata from any object of the protocol. */
export function readMetadata(source: JsonObject | undefined, metadata: Record<string, JsonValue>): void {
  for (const name of names) {
    const value = source?.[name]
    if (value !== undefined && value !== null) metadata[name] = value
  }
}

/** Adds the tier that the usage names. */
export function readServiceTier(usage: JsonObject | undefined, metadata: Record<string, JsonValue>): void {
  const tier = textAt(usage, 'service_tier')
  if (tier !== undefined) metadata['service_tier'] = tier
}
