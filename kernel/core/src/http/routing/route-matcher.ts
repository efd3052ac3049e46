import type { HttpMethod } from '@agent-service/sdk/contracts/http-route'
import Router from '@koa/router'
import { withSlashes } from '../request/request-target.js'
import type { TableEntry } from '../route-table.js'
import { parameterNamesOf, segmentsOf, shapeOf } from './route-check.js'

/** The routes of a path. */
export interface PathMatch {
  /** The methods of the path's routes, sorted; `HEAD` accompanies `GET`. */
  readonly allowed: readonly string[]
  /** The headers of the answer to OPTIONS. */
  readonly options: Readonly<Record<string, string>>
  /** Whether its parameters may have encoded slashes. */
  readonly encodedSlashes: boolean
  /** The route for a method, with the path parameters as text. `HEAD` finds the route of `GET`. */
  find(method: string): { readonly entry: TableEntry; readonly params: Readonly<Record<string, string>> } | undefined
}

/** Matches a decoded path: case-sensitive and exact; a literal segment wins over a parameter. */
export type RouteMatcher = (path: string) => PathMatch | undefined

/** All routes of one shape. */
interface PathNode {
  readonly methods: ReadonlyMap<string, { readonly entry: TableEntry; readonly names: readonly string[] }>
  readonly allowed: readonly string[]
  readonly encodedSlashes: boolean
}

/** The router of an area, and the node of each of its layers. */
interface Area {
  readonly router: Router
  readonly nodes: ReadonlyMap<unknown, PathNode>
}

/**
 * Matches routes that do not overlap. The router tries its routes one after another, so each area
 * of the API, by the first two segments of its paths, has a router of its own
 * (`docs/decisions/2026-11-23-a-router-for-each-area.md`). An area is compiled for its first request:
 * a start changes the routes often, and most areas are not asked for until the next change.
 */
export function createRouteMatcher(entries: readonly TableEntry[]): RouteMatcher {
  let entriesByArea: ReadonlyMap<string, readonly TableEntry[]> | undefined
  const compiled = new Map<string, Area>()
  const areaNamed = (name: string): Area | undefined => {
    const known = compiled.get(name)
    if (known !== undefined) return known
    entriesByArea ??= groupByArea(entries)
    const ofArea = entriesByArea.get(name)
    if (ofArea === undefined) return undefined
    const area = compileArea(ofArea)
    compiled.set(name, area)
    return area
  }
  const matchIn = (area: Area | undefined, path: string): PathMatch | undefined => {
    const layer = area?.router.match(path, 'GET').path[0]
    const node = layer && area?.nodes.get(layer)
    // The captures are not decoded: the router's own `params` would decode the path a second time.
    return node && toMatch(node, layer.captures(path))
  }
  return (path) => matchIn(areaNamed(areaOf(path)), path) ?? matchIn(areaNamed(anyArea), path)
}

function groupByArea(entries: readonly TableEntry[]): ReadonlyMap<string, readonly TableEntry[]> {
  const areas = new Map<string, TableEntry[]>()
  for (const entry of entries) {
    const area = areaOf(shapeOf(entry.route.path))
    const name = area.includes('{}') ? anyArea : area
    const ofArea = areas.get(name)
    if (ofArea === undefined) areas.set(name, [entry])
    else ofArea.push(entry)
  }
  return areas
}

function compileArea(entries: readonly TableEntry[]): Area {
  const byShape = new Map<string, Map<HttpMethod, TableEntry>>()
  for (const entry of entries) {
    const shape = shapeOf(entry.route.path)
    byShape.set(shape, (byShape.get(shape) ?? new Map<HttpMethod, TableEntry>()).set(entry.route.method, entry))
  }
  const router = new Router({ strict: true, sensitive: true })
  const nodes = new Map<unknown, PathNode>()
  for (const [shape, methods] of [...byShape].sort(([left], [right]) => literalFirst(left, right)))
    nodes.set(
      router.register(patternOf(shape), [...methods.keys()], (_context, next) => next()),
      nodeOf(methods),
    )
  return { router, nodes }
}

/** The area of paths with a parameter among their first two segments. It is not a valid path. */
const anyArea = '{}'

/** The first two segments of a path: `/api/chats`. */
function areaOf(path: string): string {
  const second = path.indexOf('/', 1)
  const third = second === -1 ? -1 : path.indexOf('/', second + 1)
  return third === -1 ? path : path.slice(0, third)
}

const nodeOf = (methods: ReadonlyMap<HttpMethod, TableEntry>): PathNode => ({
  methods: new Map([...methods].map(([method, entry]) => [method, { entry, names: parameterNamesOf(entry.route.path) }])),
  allowed: [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort(),
  encodedSlashes: [...methods.values()].some(({ route }) => route.encodedSlashes === true),
})

function toMatch({ methods, allowed, encodedSlashes }: PathNode, captures: readonly string[]): PathMatch {
  return {
    ...{ allowed, encodedSlashes },
    options: Object.assign({ allow: allowed.join(', ') }, ...[...methods.values()].map(({ entry }) => entry.route.optionsHeaders)),
    find(method) {
      const found = methods.get(method === 'HEAD' ? 'GET' : method)
      if (!found) return undefined
      const params: Record<string, string> = {}
      for (const [index, name] of found.names.entries()) params[name] = withSlashes(captures[index] ?? '')
      return { entry: found.entry, params }
    },
  }
}

/** Sorts shapes so that, from the left, a literal segment comes before a parameter. */
function literalFirst(left: string, right: string): number {
  const [leftSegments, rightSegments] = [left.split('/'), right.split('/')]
  for (const [index, segment] of leftSegments.entries()) {
    const other = rightSegments[index]
    if (other === undefined) return 1
    if ((segment === '{}') !== (other === '{}')) return segment === '{}' ? 1 : -1
  }
  return leftSegments.length - rightSegments.length
}

/** The shape in the router's syntax, with the characters of literal segments escaped. */
function patternOf(shape: string): string {
  const segments = segmentsOf(shape.replaceAll('{}', '{p}'))
  return segments.map((segment, index) => `/${segment?.replaceAll(/[^A-Za-z0-9_-]/g, '\\$&') ?? `:p${index}`}`).join('')
}
