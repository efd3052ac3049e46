import type { GrowingMarkdown, MarkupNode } from '@agent-service/sdk/markdown'
import { createShownList, listed, type PartOf, type ShownNode } from './shown-nodes.js'

/** The nodes of a text that may still grow. */
export interface MarkdownView {
  /** Takes the whole text. What stays what it is stays in the page, and letters are added to what grows. */
  show(text: string, isOpen: boolean): readonly ChildNode[]
  dispose(): void
}

export function createMarkdownView(growing: GrowingMarkdown, partOf: PartOf): MarkdownView {
  const list = createShownList(partOf)
  const caret = createCaret()
  let known: readonly (readonly MarkupNode[])[] = []
  let counts: readonly number[] = []

  return {
    show(text, isOpen) {
      const { finished, open } = growing.read(text, isOpen)
      const changed = finished.findIndex((nodes, index) => nodes !== known[index])
      const same = Math.min(changed < 0 ? finished.length : changed, known.length)
      const from = counts.slice(0, same).reduce((sum, count) => sum + count, 0)
      const added = finished.slice(same).map(listed)
      list.take([...added.flat(), ...listed(open)], from)
      known = finished
      counts = [...counts.slice(0, same), ...added.map(({ length }) => length)]
      const firstOpen = counts.reduce((sum, count) => sum + count, 0)
      for (const node of list.nodes.slice(from, firstOpen)) mark(node, false, false)
      for (const node of list.nodes.slice(firstOpen)) mark(node, true, node === list.nodes.at(-1))
      const nodes = list.nodes.map(({ outer }) => outer)
      if (!isOpen) return caret.remove(nodes)
      return caret.placeIn(nodes, list.nodes.length > firstOpen ? list.nodes.at(-1) : undefined)
    },
    dispose: list.dispose,
  }
}

/** What is not finished is not to be translated. */
function mark({ outer, setOpen }: ShownNode, isOpen: boolean, grows: boolean): void {
  setOpen(grows)
  if (!(outer instanceof Element)) return
  if (isOpen && !outer.hasAttribute('translate')) outer.setAttribute('translate', 'no')
  else if (!isOpen) outer.removeAttribute('translate')
}

interface Caret {
  /** Behind the last letter, or in a line of its own: the nodes with that line. */
  placeIn(nodes: readonly ChildNode[], last: ShownNode | undefined): readonly ChildNode[]
  remove(nodes: readonly ChildNode[]): readonly ChildNode[]
}

function createCaret(): Caret {
  const caret = document.createElement('span')
  caret.className = 'caret'
  const line = document.createElement('p')
  return {
    placeIn(nodes, last) {
      const place = last ? last.end() : line
      if (place === 'own') caret.remove()
      else if (caret.parentElement !== (place ?? line)) (place ?? line).append(caret)
      const shown = place === 'own' ? last?.outer : caret
      // It blinks only while nothing arrives.
      if (shown instanceof Element) for (const animation of shown.getAnimations({ subtree: true })) animation.currentTime = 0
      return caret.parentElement === line ? [...nodes, line] : nodes
    },
    remove(nodes) {
      caret.remove()
      return nodes
    },
  }
}
