import { CST } from 'yaml'
import type { Change } from './change-member.js'
import { type MapToken, type Member, sourceOf, splitBehind, type YamlTree } from './yaml-tree.js'

/**
 * Ways to remove a member, the best first: from its key to the last line of its value, with the
 * comments between and on these lines. Comments above and below stay: they may describe several
 * members, and a superfluous comment does less harm than a missing one.
 */
export function removeMember(tree: YamlTree, map: MapToken, member: Member): readonly Change[] {
  if (map.type === 'flow-collection') return [() => removeFromBraces(map, member)]
  const remove = (): CST.CollectionItem => {
    const item = { start: splitBehind(member.start, 'newline', 'last')[0] }
    map.items[(map.items as readonly unknown[]).indexOf(member)] = item
    return item
  }
  return [
    remove,
    () => {
      // Blank lines after it would become part of a preceding text that keeps them (`|+`).
      const next = itemBehind(tree, remove())
      if (next) next.start = withoutBlankLines(next.start)
      else if (tree.document?.end) tree.document.end = withoutBlankLines(tree.document.end)
    },
  ]
}

/** The item after another one in the text. */
function itemBehind({ document }: YamlTree, item: CST.CollectionItem): CST.CollectionItem | undefined {
  const items: CST.CollectionItem[] = []
  if (document) CST.visit(document, (each) => void items.push(each))
  return items[items.indexOf(item) + 1]
}

const withoutBlankLines = (tokens: readonly CST.SourceToken[]): CST.SourceToken[] => {
  const first = tokens.findIndex(({ type }) => type !== 'newline')
  return first < 0 ? [] : tokens.slice(first)
}

/** Removes a member with its lines if it has its own, otherwise with the comma next to it. */
function removeFromBraces(map: CST.FlowCollection, member: Member): void {
  const { items } = map
  const index = (items as readonly unknown[]).indexOf(member)
  const [before, next] = [items[index - 1], items[index + 1]]
  const end = member.value && 'end' in member.value ? (member.value.end ?? []).slice(member.value.type === 'flow-collection' ? 1 : 0) : []
  const [line, below] = splitBehind([...end, ...(next?.start ?? [])], 'newline', 'first')
  const [above] = splitBehind(member.start, 'newline', 'last')
  if (above.length > 0 && line.length > 0) {
    if (next) Object.assign(next, { start: [...above, ...below] })
    items.splice(index, 1, ...(next ? [] : [{ start: [...above, ...below] }]))
  } else if (next && sourceOf(next.start, 'comma') !== undefined && (next.key || !before)) {
    next.start = next.key ? member.start : next.start.filter(({ type }) => type !== 'comma')
    items.splice(index, 1)
  } else items[index] = { start: before ? end : [...member.start, ...end] }
}
