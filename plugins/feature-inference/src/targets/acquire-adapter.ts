import { type ProviderAdapter, providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import type { ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import type { Connection } from '../connections/connections.js'

/** Finds the adapter by id, a third-party one also by its plain name. */
export function acquireAdapter(connection: Connection, contributions: Contributions): ContributionLease<ProviderAdapter> | undefined {
  const wanted = connection.adapter ?? ''
  const direct = contributions.acquire(providerAdapters, wanted)
  if (direct) return direct
  const named = contributions.list(providerAdapters).find((contributed) => contributed.value.name === wanted)
  return named && contributions.acquire(providerAdapters, named.key)
}
