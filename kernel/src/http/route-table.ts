import type { Disposer } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'

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
  acquire?(): { readonly signal: AbortSignal; release(): void } | undefined
}

/** The routes that are served right now. Adding and removing takes effect with the next request. */
export interface RouteTable {
  /** @throws `route_conflict` naming both owners, `route_not_owned`, `route_invalid` with the reason. */
  add(route: HttpRoute, owner: RouteOwner): Disposer
  list(): readonly { readonly route: HttpRoute; readonly owner: string }[]
}
