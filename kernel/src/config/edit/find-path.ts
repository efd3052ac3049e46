import { isAlias, isMap, isScalar, type Node } from 'yaml'
import { isEmpty, isExplicit, type MapNode, nameOf, type PairNode, pairsOf, type Source, startOf, usedAnchor } from './yaml-nodes.js'

/** Why a path cannot be edited, with the place. */
export interface Refusal {
  readonly refused: string
}

/** Where a path ends in a text. `holder` is the member that the map, or what is in its place, is the value of; absent for sections. */
export type Found = {
  readonly holder: PairNode | undefined
} & (
  | { readonly kind: 'member'; readonly map: MapNode; readonly pair: PairNode }
  /** The map has no such member: `rest` begins with its name. */
  | { readonly kind: 'absent'; readonly map: MapNode; readonly rest: readonly string[] }
  /** In place of the map is nothing, a null, or `{}`. `around`: the map that the holder stands in. */
  | { readonly kind: 'empty'; readonly node: Node | null; readonly around: MapNode | undefined; readonly rest: readonly string[] }
)

/** Follows a path through maps. What aliases, tags and merge keys stand for is never followed. */
export function findPath(source: Source, path: readonly string[]): Found | Refusal {
  const refuse = (node: Node | null, message: string): Refusal => ({ refused: message + placeOf(source, node) })
  let holder: PairNode | undefined
  let around: MapNode | undefined
  let node: Node | null = source.document.contents
  for (const [index, name] of path.entries()) {
    const fault = withheld(source, node)
    if (fault !== undefined) return refuse(node, fault)
    const rest = path.slice(index)
    if (!isMap(node) && !isEmpty(node) && !isNull(node)) return refuse(node, 'lies in something that is no object')
    const map = isMap(node) ? (node as MapNode) : undefined
    const pair: PairNode | undefined = map && pairsOf(map).find((candidate) => nameOf(candidate) === name)
    if (name === '<<' || (!pair && rest.includes('<<')))
      return refuse(pair?.key ?? node, 'is a merge key, which is not followed; edit the file by hand')
    if (!map || pairsOf(map).length === 0) return { kind: 'empty', holder, node, around, rest }
    if (!pair) return { kind: 'absent', holder, map, rest }
    if (isExplicit(pair)) return refuse(pair.key, 'has a complex key (“? ”); edit the file by hand')
    if (hasProperties(pair.key)) return refuse(pair.key, 'has a key with an anchor or a tag; edit the file by hand')
    if (rest.length === 1) return { kind: 'member', holder, map, pair }
    holder = pair
    around = map
    node = pair.value
  }
  return { refused: 'is no path' }
}

/** ` (3:5)`, or nothing. */
export const placeOf = (source: Source, node: Node | null): string => (node?.range ? ` (${source.placeAt(startOf(node))})` : '')

/** Why nothing inside a node may be changed. */
function withheld(source: Source, node: Node | null): string | undefined {
  if (isAlias(node)) return `lies in an alias (“*${node.source}”), which is not followed; edit the file by hand`
  if (node?.tag !== undefined && hasTag(node)) return `lies in something with a tag (“${node.tag}”); edit the file by hand`
  const anchor = usedAnchor(source, node)
  return anchor === undefined
    ? undefined
    : `lies in something that other places use (“&${anchor}”), which would change with it; edit the file by hand`
}

const isNull = (node: Node | null): boolean => isScalar(node) && node.value === null

/** True where a tag was written; the parser also gives nodes the tag that they resolve to. */
export const hasTag = (node: Node | null | undefined): boolean => !!node && node.tag !== undefined && !isAlias(node)

const hasProperties = (node: Node): boolean => hasTag(node) || (isScalar(node) && node.anchor !== undefined)
