import type { Disposer } from '@agent-service/sdk'
import type { HttpErrorFormat } from '@agent-service/sdk/contracts/http-error-format'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { HttpSite } from '@agent-service/sdk/contracts/http-site'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

/** The owner of the kernel's own routes. */
export const kernelOwnerId = 'kernel'

/** Who owns a route: named in errors, and restricted to its own paths. */
export interface RouteOwner {
  /**
   * A plugin's id, or `kernel`. Only handlers of the kernel see the `cookie` header; no other
   * handler sees credentials.
   */
  readonly id: string
  /** URL prefixes that its routes must live under; the kernel's own have none. */
  readonly prefixes?: readonly string[]
  /**
   * In front of the names of its schemas in the OpenAPI description. Empty for built-in plugins
   * and the kernel, which is the default.
   */
  readonly schemaPrefix?: string
  /**
   * Taken before the handler runs and released when the response has been written: `undefined` if
   * the owner is stopping (503). The signal of the lease aborts the request when the owner stops.
   */
  acquire?(): OwnerLease | undefined
  /**
   * Aborted as soon as the owner is about to stop: long-lived connections are closed, and no new
   * ones begin.
   */
  readonly stopping?: AbortSignal
}

/** Keeps an owner running while a request uses it. */
export interface OwnerLease {
  readonly signal: AbortSignal
  release(): void
}

/** The routes that are served right now. Adding and removing takes effect with the next request. */
export interface RouteTable {
  /**
   * @throws `route_conflict` and `schema_name_conflict` naming both owners, `route_not_owned`,
   * `route_invalid` with the reason.
   */
  add(route: HttpRoute, owner: RouteOwner): Disposer
  /** The route occupies the `GET` of its path. @throws the errors of {@link add}. */
  addWebSocket(route: WebSocketRoute, owner: RouteOwner): Disposer
  /**
   * @throws `site_conflict` naming both owners, `site_not_owned`, `site_invalid` with the reason.
   */
  addSite(site: HttpSite, owner: RouteOwner): Disposer
  /** The form of all errors below a prefix. @throws `route_conflict`, `route_not_owned`. */
  addErrorFormat(format: HttpErrorFormat, owner: RouteOwner): Disposer
  list(): readonly { readonly route: HttpRoute; readonly owner: string }[]
}

/** A route in the table. */
export interface TableEntry {
  readonly route: HttpRoute
  readonly owner: RouteOwner
  /** Answers handshakes; {@link route} is then its gate. */
  readonly webSocket?: WebSocketRoute
}

/** The claimed host names. */
export interface SiteTable {
  /**
   * Claims hosts for an owner's sites for good: while no site is added, their requests are answered
   * with 503 and never by the API. The first owner of a name keeps it; the service's own names
   * cannot be claimed. Never throws.
   */
  claim(ownerId: string, patterns: readonly string[]): void
  /**
   * @throws `site_conflict` naming both owners, `site_not_owned`, `site_invalid` with the reason.
   */
  add(site: HttpSite, owner: RouteOwner): Disposer
  /**
   * Matches the `Host` header, an exact name before a pattern. `undefined` if the host is not
   * claimed.
   */
  match(hostHeader: string | undefined): SiteMatch | undefined
}

/** The claimed host of a request. */
export interface SiteMatch {
  /** In lower case, without the port. */
  readonly host: string
  /** The label that matched the `*` of the pattern. */
  readonly label: string | undefined
  readonly ownerId: string
  /**
   * Absent while the owner does not run: the host stays claimed, so the service itself never
   * answers on it.
   */
  readonly site: HttpSite | undefined
  readonly owner: RouteOwner | undefined
}
