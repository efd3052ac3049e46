import { loadConfiguration } from '@agent-service/kernel-core/config'
import { defineError } from '@agent-service/sdk'
import type { Invocation } from './invocation.js'

/** The configuration leaves the port to the operating system. */
export const portUnknownError = defineError<Record<string, never>>({
  code: 'port_unknown',
  status: 400,
  title: 'Port unknown',
  message: () =>
    'server.port is 0, so the service listens on a port that it chose itself; its log names it. Name the address with --url or AGENT_SERVICE_URL.',
})

const defaultPort = 3001
/** Addresses that a service listens on, but that are none to call. */
const everywhere: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'])

/** The address that is named explicitly: as given, else by `AGENT_SERVICE_URL`. It is always the service's. */
export const namedUrl = (environment: Invocation['environment'], given?: string): string | undefined =>
  given || environment['AGENT_SERVICE_URL'] || undefined

/**
 * The address of the running service: as given, else `AGENT_SERVICE_URL`, else by host and port of
 * the configuration that the service would start with here. A configuration that cannot be read
 * counts as all defaults, so that a running service stays reachable while its file is repaired.
 * @throws `port_unknown` if the service chooses its port.
 */
export async function serviceUrl(
  { environment, workingDirectory, installation }: Pick<Invocation, 'environment' | 'workingDirectory' | 'installation'>,
  given?: string,
): Promise<string> {
  const named = namedUrl(environment, given)
  if (named !== undefined) return named
  const { installedResources } = installation
  const { host, port } = await loadConfiguration({ environment, workingDirectory, installedResources }).then(
    ({ kernel }) => kernel.server,
    () => ({ host: '', port: defaultPort }),
  )
  if (port === 0) throw portUnknownError.create({})
  const name = everywhere.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
