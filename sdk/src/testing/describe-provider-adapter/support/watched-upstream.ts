import { startRecordingProxy } from './recording-proxy.js'
import type { ProviderUpstream } from './suite-options.js'

/** An upstream of which the suite sees what arrives. */
export interface WatchedUpstream extends ProviderUpstream {
  bodies(): readonly string[]
}

/**
 * The upstream with its bodies: those that it shows itself, else those that pass a proxy of the
 * suite before it. `undefined` if it shows none and has no URL to put a proxy before.
 */
export async function watchUpstream(upstream: ProviderUpstream): Promise<WatchedUpstream | undefined> {
  if (upstream.bodies) return upstream as WatchedUpstream
  if (!/^https?:\/\//.test(upstream.connection.baseUrl)) return undefined
  const proxy = await startRecordingProxy(upstream.connection.baseUrl)
  return {
    ...upstream,
    connection: { ...upstream.connection, baseUrl: proxy.baseUrl },
    calls: () => upstream.calls(),
    idle: () => upstream.idle(),
    bodies: () => proxy.bodies(),
    close: () => proxy.close(),
  }
}
