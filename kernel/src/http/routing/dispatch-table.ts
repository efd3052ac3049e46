import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { routeConflictError } from '../errors.js'
import type { RouteOwner, RouteTable } from '../route-table.js'
import { type CompiledRoutes, compileRoutes, type TableEntry } from './compiled-routes.js'
import { checkRoute, nameOfRoute, shapeOf } from './route-check.js'

/** The route table as the dispatcher reads it: each request takes {@link current} once and stays with it. */
export interface DispatchTable extends RouteTable {
  current(): CompiledRoutes
}

/** Makes an empty table. Compiling waits for the next request, so that adding many routes costs one compilation. */
export function createDispatchTable(): DispatchTable {
  const entries = new Set<TableEntry>()
  let compiled: CompiledRoutes | undefined

  return {
    add(route: HttpRoute, owner: RouteOwner) {
      checkRoute(route, owner)
      for (const other of entries) refuseOverlap({ route, owner }, other)
      const entry: TableEntry = { route, owner }
      entries.add(entry)
      compiled = undefined
      return () => {
        if (entries.delete(entry)) compiled = undefined
      }
    },
    list: () => [...entries].map(({ route, owner }) => ({ route, owner: owner.id })),
    current() {
      compiled ??= compileRoutes([...entries])
      return compiled
    },
  }
}

function refuseOverlap(added: TableEntry, other: TableEntry): void {
  const sameRequests = added.route.method === other.route.method && shapeOf(added.route.path) === shapeOf(other.route.path)
  if (!sameRequests && added.route.operationId !== other.route.operationId) return
  throw routeConflictError.create({
    route: `${nameOfRoute(added.route)} (${added.route.operationId})`,
    owner: added.owner.id,
    other: `${nameOfRoute(other.route)} (${other.route.operationId})`,
    otherOwner: other.owner.id,
  })
}
