import type { CST } from 'yaml'
import { isEmpty, isMapToken, type MapToken, type Member, membersOf, nameOf, sourceOf, usedAnchor, type YamlTree } from './yaml-tree.js'

/** Why a path cannot be edited. `at`: the offset of the obstacle. */
export interface Refusal {
  readonly refused: string
  readonly at: number | undefined
}

/**
 * Where a path ends. `holder` is the member whose value is the map, or is in its place; absent for
 * the root.
 */
export type Found = { readonly holder: Member | undefined; readonly around: MapToken | undefined } & (
  | { readonly kind: 'member'; readonly map: MapToken; readonly member: Member }
  /** The map has no such member: `rest` begins with its name. */
  | { readonly kind: 'absent'; readonly map: MapToken; readonly rest: readonly string[] }
  /** Instead of the map there is no value, a null, or a map without members. */
  | { readonly kind: 'empty'; readonly node: CST.Token | undefined; readonly rest: readonly string[] }
)

const byHand = 'edit the file by hand'

/** Follows a path through maps. Never follows aliases, tags and merge keys. */
export function findMember(tree: YamlTree, path: readonly string[]): Found | Refusal {
  let holder: Member | undefined
  let around: MapToken | undefined
  let node: CST.Token | undefined = tree.document?.value
  for (const [index, name] of path.entries()) {
    const fault = withheld(tree, node, holder?.sep ?? tree.document?.start)
    if (fault !== undefined) return { refused: fault, at: node?.offset }
    const rest = path.slice(index)
    const map = isMapToken(node) ? node : undefined
    if (!map && !isEmpty(node) && !isNull(node)) return { refused: 'is inside a value that is not an object', at: node?.offset }
    const member: Member | undefined = map && membersOf(map).find((candidate) => nameOf(candidate) === name)
    if (name === '<<' || (!member && rest.includes('<<')))
      return { refused: `is a merge key, which is not followed; ${byHand}`, at: member?.key.offset ?? node?.offset }
    if (!map || membersOf(map).length === 0) return { kind: 'empty', holder, node, around, rest }
    if (!member) return { kind: 'absent', holder, around, map, rest }
    const odd = oddKey(member)
    if (odd !== undefined) return { refused: odd, at: member.key.offset }
    if (rest.length === 1) return { kind: 'member', holder, around, map, member }
    holder = member
    around = map
    node = member.value
  }
  return { refused: 'is not a path', at: undefined }
}

/** Why no member of a value may be changed. */
const withheld = (tree: YamlTree, node: CST.Token | undefined, before: Member['sep']): string | undefined =>
  node?.type === 'alias'
    ? `is inside an alias (“${node.source}”), which is not followed; ${byHand}`
    : propertyFault(tree, before, ['is inside a value with', 'is inside a value that is used in other places'])

/** Why the value of a member may not be changed. */
export function refusedValue(tree: YamlTree, { sep, value, key }: Member): Refusal | undefined {
  const refused = propertyFault(tree, sep, ['has', 'is used in other places'])
  return refused === undefined ? undefined : { refused, at: value?.offset ?? key.offset }
}

function propertyFault(tree: YamlTree, before: Member['sep'], [tagged, used]: readonly [string, string]): string | undefined {
  const tag = sourceOf(before, 'tag')
  if (tag !== undefined) return `${tagged} a tag (“${tag}”); ${byHand}`
  const anchor = usedAnchor(tree, before)
  return anchor === undefined ? undefined : `${used} (“${anchor}”) that would change, too; ${byHand}`
}

function oddKey({ start }: Member): string | undefined {
  if (sourceOf(start, 'explicit-key-ind') !== undefined) return `has a complex key (“? ”); ${byHand}`
  const isPlain = sourceOf(start, 'anchor') === undefined && sourceOf(start, 'tag') === undefined
  return isPlain ? undefined : `has a key with an anchor or a tag; ${byHand}`
}

/** True for a scalar that YAML reads as null. */
const isNull = (node: CST.Token | undefined): boolean => node?.type === 'scalar' && /^(?:~|null|Null|NULL)$/.test(node.source)
