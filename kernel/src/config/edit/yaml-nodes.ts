import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type Scalar, visit, type YAMLMap } from 'yaml'
import type { YamlSource } from '../yaml.js'
import { lineStart } from './text-edits.js'

/** A file's text and what it was parsed to. */
export interface Source extends YamlSource {
  /** Without its byte order mark. */
  readonly text: string
  readonly mark: '' | '\ufeff'
}

/** A map as it was parsed. */
export type MapNode = YAMLMap.Parsed

/** A member of a map as it was parsed. */
export type PairNode = Pair<Node, Node | null>

export const pairsOf = (map: MapNode): readonly PairNode[] => map.items as readonly PairNode[]

/** The name of a member; `undefined` for a key that is no text. */
export const nameOf = (pair: PairNode): string | undefined => (isScalar(pair.key) ? String(pair.key.value) : undefined)

/** Where a node begins, without its anchor or tag. */
export const startOf = (node: Node): number => node.range?.[0] ?? 0

export const isFlow = (node: Node): boolean => node.srcToken?.type === 'flow-collection'

/** True where a key has nothing behind it. */
export const isEmpty = (node: Node | null | undefined): boolean =>
  !node || (isScalar(node) && node.value === null && node.range?.[0] === node.range?.[1])

export const isBlockScalar = (node: Node): node is Scalar => node.srcToken?.type === 'block-scalar'

/** The offset behind a node's last character, comments and blank lines after it left out. */
export function contentEnd(node: Node): number {
  if (!isFlow(node)) {
    const last = isMap(node) || isSeq(node) ? node.items.at(-1) : undefined
    if (isNode(last)) return contentEnd(last)
    if (last !== undefined) return pairEnd(last as PairNode)
  }
  return node.range?.[1] ?? 0
}

/** The offset behind a member's last character. */
export function pairEnd(pair: PairNode): number {
  const behindKey = headerEnd(pair)
  return pair.value && !isEmpty(pair.value) ? contentEnd(pair.value) : behindKey
}

/** The offset behind the colon of a member, its value's anchor and tag included; behind its key where it has no colon. */
export function headerEnd(pair: PairNode): number {
  const parts = (pair.srcToken?.sep ?? []).filter(({ type }) => type === 'map-value-ind' || type === 'anchor' || type === 'tag')
  const last = parts.at(-1)
  return last ? last.offset + last.source.length : (pair.key.range?.[1] ?? 0)
}

export const hasColon = (pair: PairNode): boolean => pair.srcToken?.sep?.some(({ type }) => type === 'map-value-ind') ?? false

/** True for `? key`. */
export const isExplicit = (pair: PairNode): boolean => pair.srcToken?.start.some(({ type }) => type === 'explicit-key-ind') ?? false

/** True when nothing but spaces stands before an offset on its line. */
export const beginsLine = (text: string, offset: number): boolean => /^ *$/.test(text.slice(lineStart(text, offset), offset))

/** The anchor that a node has and that an alias somewhere uses. */
export function usedAnchor(source: Source, node: Node | null | undefined): string | undefined {
  const anchor = node && !isAlias(node) ? (node as Exclude<Node, Alias>).anchor : undefined
  if (anchor === undefined) return undefined
  let used = false
  visit(source.document, {
    Alias(_key, alias) {
      used ||= alias.source === anchor
      return used ? visit.BREAK : undefined
    },
  })
  return used ? anchor : undefined
}

/** How many spaces a level is indented by: as in the first nested block of the text, else two. */
export function indentationStep(source: Source): number {
  const root = source.document.contents
  if (!isMap(root)) return 2
  for (const pair of pairsOf(root as MapNode)) {
    if (!isMap(pair.value) || isFlow(pair.value)) continue
    const step = columnOf(source, startOf(pair.value)) - columnOf(source, startOf(pair.key))
    if (step > 0) return step
  }
  return 2
}

export const columnOf = (source: Source, offset: number): number => offset - lineStart(source.text, offset)
