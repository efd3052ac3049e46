import type { HttpMethod, HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import Router from '@koa/router'
import type { RouteOwner } from '../route-table.js'
import { parameterNamesOf, segmentsOf, shapeOf } from './route-check.js'

/** A route in the table. */
export interface TableEntry {
  readonly route: HttpRoute
  readonly owner: RouteOwner
  /** What answers a handshake; {@link route} is its gate then. */
  readonly webSocket?: WebSocketRoute
}

/** What a path leads to. */
export interface PathMatch {
  /** The methods that the path has routes for, `HEAD` with `GET`; sorted. */
  readonly allowed: readonly string[]
  /** The route of a method, with the path's parameters as text. `HEAD` finds the route of `GET`. */
  find(method: string): { readonly entry: TableEntry; readonly params: Readonly<Record<string, string>> } | undefined
}

/** An unchanging set of routes, ready to match. */
export interface CompiledRoutes {
  readonly entries: readonly TableEntry[]
  /** Matches a decoded path: case-sensitive, exact, a literal segment before a parameter. */
  match(path: string): PathMatch | undefined
}

interface PathNode {
  readonly methods: ReadonlyMap<HttpMethod, TableEntry>
  readonly allowed: readonly string[]
}

/** Compiles routes of which no two overlap. */
export function compileRoutes(entries: readonly TableEntry[]): CompiledRoutes {
  const byShape = new Map<string, Map<HttpMethod, TableEntry>>()
  for (const entry of entries) {
    const shape = shapeOf(entry.route.path)
    byShape.set(shape, (byShape.get(shape) ?? new Map<HttpMethod, TableEntry>()).set(entry.route.method, entry))
  }
  const router = new Router({ strict: true, sensitive: true })
  const nodes = new Map<unknown, PathNode>()
  const literals = new Map<string, PathNode>()
  for (const shape of [...byShape.keys()].sort(literalFirst)) {
    const methods = byShape.get(shape) ?? new Map<HttpMethod, TableEntry>()
    const node: PathNode = { methods, allowed: allowedOf(methods) }
    if (!shape.includes('{}')) literals.set(shape, node)
    else
      nodes.set(
        router.register(patternOf(shape), [...methods.keys()], (_context, next) => next()),
        node,
      )
  }
  return {
    entries,
    match(path) {
      const literal = literals.get(path)
      if (literal) return toMatch(literal, [])
      const layer = router.match(path, 'GET').path[0]
      const node = layer && nodes.get(layer)
      // Captures are taken as they are: the router's own `params` would decode the path a second time.
      return node && toMatch(node, layer.captures(path))
    },
  }
}

function toMatch(node: PathNode, captures: readonly string[]): PathMatch {
  return {
    allowed: node.allowed,
    find(method) {
      const entry = node.methods.get((method === 'HEAD' ? 'GET' : method) as HttpMethod)
      if (!entry) return undefined
      const names = parameterNamesOf(entry.route.path)
      return { entry, params: Object.fromEntries(names.map((name, index) => [name, captures[index] ?? ''])) }
    },
  }
}

const allowedOf = (methods: ReadonlyMap<HttpMethod, unknown>): readonly string[] =>
  [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()

/** Orders shapes so that, from the left, a literal segment comes before a parameter. */
function literalFirst(left: string, right: string): number {
  const [leftSegments, rightSegments] = [left.split('/'), right.split('/')]
  for (const [index, segment] of leftSegments.entries()) {
    const other = rightSegments[index]
    if (other === undefined) return 1
    if ((segment === '{}') !== (other === '{}')) return segment === '{}' ? 1 : -1
  }
  return leftSegments.length - rightSegments.length
}

/** The shape in the router's own syntax, every character of a literal taken literally. */
function patternOf(shape: string): string {
  const segments = segmentsOf(shape.replaceAll('{}', '{p}'))
  return segments.map((segment, index) => `/${segment?.replaceAll(/[^A-Za-z0-9_-]/g, '\\$&') ?? `:p${index}`}`).join('')
}
