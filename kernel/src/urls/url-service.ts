import type { Urls } from '@agent-service/sdk/services/urls'
import type { ServerSection } from '../config/sections/server.js'

/** The URL service, told the port once it is known. */
export interface UrlService extends Urls {
  /** For `server.port` 0: the port that the listener got. Used only where no public address is configured. */
  listensOn(port: number): void
}

/** Makes the service from section `server`. A path in a configured address goes into the links. */
export function createUrlService(
  settings: Pick<ServerSection, 'port' | 'base_url' | 'backend_url' | 'frontend_url' | 'external_url'>,
): UrlService {
  const { base_url: base, backend_url: backend, frontend_url: frontend, external_url: external } = settings
  let { port } = settings
  const local = () => `http://localhost:${port}`
  return {
    api: (path) => join(backend ?? base ?? local(), path),
    page: (path) => join(frontend ?? base ?? local(), path),
    external: (path) => join(external ?? backend ?? base ?? local(), path),
    listensOn(actual) {
      port = actual
    },
  }
}

function join(base: string, path: string): string {
  if (!path.startsWith('/')) throw new TypeError(`A path of the service begins with “/”, not “${path.slice(0, 20)}”.`)
  return `${base.replace(/\/+$/, '')}${path}`
}
