import type { PluginManifest } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import type { OwnedHttpClient } from './create-http-client.js'

/** Options of {@link openHttpClient}. */
export interface PluginHttpClientOptions {
  readonly manifest: Pick<PluginManifest, 'permissions'>
  /** The plugin's configuration, for `targetsFromConfiguration`. */
  readonly configuration: unknown
  readonly clock: Clock
  /** The origins of the service itself, which are refused. */
  readonly ownOrigins: () => readonly string[]
}

/**
 * The guarded client of one plugin. Its code is loaded with the first request, so that the plugin
 * starts without it.
 */
export function openHttpClient({ manifest, configuration, ...options }: PluginHttpClientOptions): OwnedHttpClient {
  let opening: Promise<OwnedHttpClient> | undefined
  let isClosed = false
  const open = async (): Promise<OwnedHttpClient> => {
    const [{ createHttpClient }, { readNetworkPermission }] = await Promise.all([
      import('./create-http-client.js'),
      import('./network-permission.js'),
    ])
    const owned = createHttpClient({ ...options, permission: readNetworkPermission(manifest, configuration) })
    if (isClosed) await owned.close()
    return owned
  }
  const opened = async (): Promise<HttpClient> => {
    opening ??= open()
    return (await opening).client
  }
  return {
    client: Object.freeze<HttpClient>({
      request: async (request, requestOptions) => (await opened()).request(request, requestOptions),
      stream: async (request, requestOptions) => (await opened()).stream(request, requestOptions),
    }),
    async close() {
      isClosed = true
      await (await opening)?.close()
    },
  }
}
