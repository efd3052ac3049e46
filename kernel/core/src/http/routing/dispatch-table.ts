import type { Disposer } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'
import { createErrorFormats, type ErrorFormats } from '../answer/error-formats.js'
import { routeConflictError } from '../errors.js'
import type { RouteOwner, RouteTable, SiteTable, TableEntry } from '../route-table.js'
import { createSchemaNames, type SchemaNames } from '../schemas/schema-names.js'
import { checkOwned, checkRoute, nameOfRoute, shapeOf } from './route-check.js'
import { createRouteMatcher, type RouteMatcher } from './route-matcher.js'
import { gateOf } from './websocket-gate.js'

/** An immutable set of routes, ready to match. */
export interface CompiledRoutes {
  readonly entries: readonly TableEntry[]
  readonly match: RouteMatcher
}

/** The route table as the pipeline reads it. Each request is matched once and keeps its route. */
export interface DispatchTable extends RouteTable {
  /** The same until a route is added or removed. */
  current(): CompiledRoutes
  /** The claimed hosts. They are matched before the routes. */
  readonly sites: Pick<SiteTable, 'match'>
  readonly errorFormats: Omit<ErrorFormats, 'add' | 'has'>
  /** The names of the schemas of its routes. */
  readonly schemaNames: SchemaNames
}

/**
 * Makes an empty table. Routes are compiled for the requests that ask for them, so that adding many
 * routes compiles none. `sites`: the claimed hosts; by default there are none.
 */
export function createDispatchTable({ sites = noSites }: { readonly sites?: SiteTable } = {}): DispatchTable {
  const entries = new Set<TableEntry>()
  /** By what no other entry may have, so that a new one need not be held against all. */
  const taken = new Map<string, TableEntry>()
  const schemaNames = createSchemaNames()
  const errorFormats = createErrorFormats()
  let compiled: CompiledRoutes | undefined

  const addEntry = (entry: TableEntry): Disposer => {
    checkRoute(entry.route, entry.owner)
    const keys = keysOf(entry)
    for (const key of keys) refuseOverlap(entry, taken.get(key))
    const releaseNames = schemaNames.claim(entry)
    entries.add(entry)
    for (const key of keys) taken.set(key, entry)
    compiled = undefined
    return () => {
      if (!entries.delete(entry)) return
      for (const key of keys) taken.delete(key)
      compiled = undefined
      void releaseNames()
    }
  }

  return {
    add: (route, owner) => addEntry({ route, owner }),
    addWebSocket: (webSocket, owner) => addEntry({ route: gateOf(webSocket, owner.id), owner, webSocket }),
    addSite: sites.add,
    addErrorFormat(format, owner) {
      checkOwned(format.prefix, `${format.prefix} (errors)`, owner)
      // Only built-in plugins may speak where nothing of theirs is.
      if (!isBuiltIn(owner)) for (const prefix of format.mistaken ?? []) checkOwned(prefix, `${prefix} (errors)`, owner)
      if (!errorFormats.has(format.prefix)) return errorFormats.add(format)
      const route = `${format.prefix} (errors)`
      throw routeConflictError.create({ route, owner: owner.id, other: route, otherOwner: 'another plugin' })
    },
    sites,
    errorFormats,
    schemaNames,
    list: () => [...entries].map(({ route, owner }) => ({ route, owner: owner.id })),
    current() {
      compiled ??= { entries: [...entries], match: createRouteMatcher([...entries]) }
      return compiled
    },
  }
}

const isBuiltIn = ({ prefixes }: RouteOwner): boolean => !prefixes?.every((prefix) => prefix.startsWith('/api/plugins/'))

const noSites: SiteTable = {
  claim: () => undefined,
  add({ host }) {
    throw new TypeError(`The site ${host} cannot be added to a table that was made without sites.`)
  },
  match: () => undefined,
}

/** The requests of a route, and the name of its operation. */
const keysOf = ({ route }: TableEntry): readonly string[] => [`${route.method} ${shapeOf(route.path)}`, `operation ${route.operationId}`]

function refuseOverlap(added: TableEntry, other: TableEntry | undefined): void {
  if (other === undefined) return
  throw routeConflictError.create({
    route: `${nameOfRoute(added.route)} (${added.route.operationId})`,
    owner: added.owner.id,
    other: `${nameOfRoute(other.route)} (${other.route.operationId})`,
    otherOwner: other.owner.id,
  })
}

export const routeTableToken: InjectionToken<DispatchTable> = Symbol('route-table')
