import { loadConfiguration } from '@agent-service/kernel-core/config'
import type { Invocation } from './invocation.js'

const defaultPort = 3001
/** Addresses that a service listens on, but that are none to call. */
const everywhere: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'])

/**
 * The address of the running service: as given, else `AGENT_SERVICE_URL`, else by host and port of
 * the configuration that the service would start with here. A configuration that cannot be read
 * counts as all defaults, so that a running service stays reachable while its file is repaired.
 */
export async function serviceUrl(
  { environment, workingDirectory, installation }: Pick<Invocation, 'environment' | 'workingDirectory' | 'installation'>,
  given?: string,
): Promise<string> {
  const named = given ?? environment['AGENT_SERVICE_URL']
  if (named) return named
  const { installedResources } = installation
  const { host, port } = await loadConfiguration({ environment, workingDirectory, installedResources }).then(
    ({ kernel }) => kernel.server,
    () => ({ host: '', port: defaultPort }),
  )
  const name = everywhere.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
