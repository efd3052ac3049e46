import { configurationToken } from '@agent-service/kernel-core/config'
import type { ServerSection } from '@agent-service/kernel-core/config/sections'
import type { ListenAddress, ListenAddresses } from '@agent-service/kernel-core/http'
import type { Urls } from '@agent-service/sdk/services/urls'
import { type InjectionToken, inject, injectable } from 'tsyringe'

/** The URL service, which gets the port once it is known. */
export interface UrlService extends Urls {
  /**
   * Sets the actual addresses, once the service listens. Links use the port if no public address is
   * configured.
   */
  listensOn(addresses: ListenAddresses): void
}

export const urlsToken: InjectionToken<UrlService> = Symbol('urls')

/**
 * The service from section `server`. A path in a configured address becomes part of the links. Its
 * methods do not depend on `this`.
 */
@injectable()
export class ConfiguredUrls implements UrlService {
  readonly api: Urls['api']
  readonly page: Urls['page']
  readonly external: Urls['external']
  readonly listener: Urls['listener']
  readonly listensOn: UrlService['listensOn']

  constructor(
    @inject(configurationToken)
    { server }: { readonly server: Pick<ServerSection, 'port' | 'base_url' | 'backend_url' | 'frontend_url' | 'external_url'> },
  ) {
    const { base_url: base, backend_url: backend, frontend_url: frontend, external_url: external } = server
    let { port } = server
    let forPrograms: ListenAddress | undefined
    const local = () => `http://localhost:${port}`
    this.api = (path) => join(backend ?? base ?? local(), path)
    this.page = (path) => join(frontend ?? base ?? local(), path)
    this.external = (path) => join(external ?? backend ?? base ?? local(), path)
    this.listener = () => {
      if (forPrograms === undefined) throw new Error('The service does not listen yet: ask for its listener once it has started.')
      return forPrograms
    }
    this.listensOn = (actual) => {
      port = actual.port
      forPrograms = actual.forPrograms
    }
  }
}

function join(base: string, path: string): string {
  if (!path.startsWith('/')) throw new TypeError(`The path “${path.slice(0, 20)}” is not valid; expected a path that begins with “/”.`)
  return `${base.replace(/\/+$/, '')}${path}`
}
