import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Connections } from '../connections/connections.js'
import { acquireAdapter } from '../targets/acquire-adapter.js'

/** Starts the adapters of the connections that the deployment has, so that their first call need not wait for that. */
export async function prepareAdapters(parts: {
  readonly connections: Pick<Connections, 'configured' | 'discovered'>
  readonly contributions: Contributions
  readonly signal: AbortSignal
}): Promise<void> {
  const { connections, contributions, signal } = parts
  await contributions.settled(providerAdapters)
  if (signal.aborted) return
  for (const connection of [...connections.configured, ...connections.discovered]) {
    const lease = connection.settings.enabled ? acquireAdapter(connection, contributions) : undefined
    if (lease !== undefined) contributions.prepare(providerAdapters, lease.key)
    lease?.release()
  }
}
