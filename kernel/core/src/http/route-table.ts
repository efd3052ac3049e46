import type { Disposer } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { HttpSite } from '@agent-service/sdk/contracts/http-site'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

/** The owner of the kernel's own routes. */
export const kernelOwnerId = 'kernel'

/** Who owns a route, for errors and for what a plugin may claim. */
export interface RouteOwner {
  /** A plugin's id, or `kernel`. Handlers of the kernel see the `cookie` header; nobody else sees credentials. */
  readonly id: string
  /** URL prefixes that its routes must live under; the kernel's own have none. */
  readonly prefixes?: readonly string[]
  /**
   * Taken before the handler runs and released when the answer has been written: `undefined` when the owner is stopping (503), else a signal that
   * aborts the request when the owner's time is over.
   */
  acquire?(): OwnerLease | undefined
  /** Aborted as soon as the owner is about to stop: long-lived connections are closed then, and no new ones begin. */
  readonly stopping?: AbortSignal
}

/** That an owner works for somebody, which it ends with its time. */
export interface OwnerLease {
  readonly signal: AbortSignal
  release(): void
}

/** The routes that are served right now. Adding and removing takes effect with the next request. */
export interface RouteTable {
  /** @throws `route_conflict` naming both owners, `route_not_owned`, `route_invalid` with the reason. */
  add(route: HttpRoute, owner: RouteOwner): Disposer
  /** The route takes the `GET` of its path. @throws as {@link add} does. */
  addWebSocket(route: WebSocketRoute, owner: RouteOwner): Disposer
  /** @throws `site_conflict` naming both owners, `site_not_owned`, `site_invalid` with the reason. */
  addSite(site: HttpSite, owner: RouteOwner): Disposer
  /**
   * Claims hosts for an owner's sites for good: while none of them is there, their requests are answered with 503 and never by the API. The first owner of
   * a name keeps it.
   */
  claimHosts(ownerId: string, patterns: readonly string[]): void
  list(): readonly { readonly route: HttpRoute; readonly owner: string }[]
}

/** A route in the table. */
export interface TableEntry {
  readonly route: HttpRoute
  readonly owner: RouteOwner
  /** What answers a handshake; {@link route} is its gate then. */
  readonly webSocket?: WebSocketRoute
}

/** What a claimed host name leads to. */
export interface SiteMatch {
  /** In lower case, without the port. */
  readonly host: string
  /** What stands for the `*` of the pattern. */
  readonly label: string | undefined
  readonly ownerId: string
  /** Absent while the owner does not run: the host stays claimed, so that nothing of the service is ever served there. */
  readonly site: HttpSite | undefined
  readonly owner: RouteOwner | undefined
}
