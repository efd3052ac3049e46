import { type MarkupElement, type MarkupNode, permittedAttributes } from '@agent-service/sdk/markdown'

/** A node of the page that follows a node of the markup. */
export interface ShownNode {
  /** What stands in the page. */
  readonly outer: ChildNode
  /** Takes the next state of the node; false if it has become another kind of node. */
  take(node: MarkupNode): boolean
  /** Where letters are added to it, which is where the caret stands; `own` if it shows one itself. */
  end(): Element | 'own' | undefined
  /** Whether it still grows at its end. */
  setOpen(isOpen: boolean): void
  dispose(): void
}

/** A component that shows an element in place of the element itself. */
export interface Part {
  readonly kind: string
  create(first: MarkupElement): ShownPart
}

export interface ShownPart {
  readonly outer: Element
  take(node: MarkupElement): void
  setOpen(isOpen: boolean): void
  dispose(): void
}

/** What shows an element, if it is not shown as it is. */
export type PartOf = (node: MarkupElement) => Part | undefined

/** The children of a node of the page, which follow those of the markup by their places. */
export interface ShownList {
  readonly nodes: readonly ShownNode[]
  /** Follows the nodes from a place on; those before it have not changed. */
  take(nodes: readonly MarkupNode[], from?: number): void
  dispose(): void
}

/** Keeps its nodes in the parent; without one, that is left to what asks for them. */
export function createShownList(partOf: PartOf, parent?: Element): ShownList {
  const shown: ShownNode[] = []
  const remove = (each: ShownNode): void => {
    if (parent) each.outer.remove()
    each.dispose()
  }
  return {
    nodes: shown,
    take(nodes, from = 0) {
      for (const [index, node] of nodes.entries()) {
        const at = from + index
        const known = shown[at]
        if (known?.take(node)) continue
        const next = createShown(node, partOf)
        // The caret stays behind all that is added.
        parent?.insertBefore(next.outer, known?.outer ?? caretIn(parent))
        if (known) remove(known)
        shown[at] = next
      }
      for (const each of shown.splice(from + nodes.length)) remove(each)
    },
    dispose() {
      for (const each of shown) each.dispose()
    },
  }
}

const createShown = (node: MarkupNode, partOf: PartOf): ShownNode => {
  if (typeof node === 'string') return createText(node)
  const part = partOf(node)
  return part ? createPart(node, part, partOf) : createElement(node, partOf)
}

/** A text to which letters are added, so that a selection in it stays. */
function createText(first: string): ShownNode {
  const outer = document.createTextNode(first)
  let written = first
  return {
    outer,
    take(text) {
      if (typeof text !== 'string') return false
      if (text === written) return true
      // What stands there may have been replaced, by a translation or an extension.
      if (outer.data === written && text.startsWith(written)) outer.appendData(text.slice(written.length))
      else outer.data = text
      written = text
      return true
    },
    end: () => undefined,
    setOpen: () => undefined,
    dispose: () => undefined,
  }
}

function createPart(first: MarkupElement, part: Part, partOf: PartOf): ShownNode {
  const shown = part.create(first)
  let known = first
  return {
    outer: shown.outer,
    take(node) {
      if (node === known) return true
      if (typeof node === 'string' || partOf(node)?.kind !== part.kind) return false
      known = node
      shown.take(node)
      return true
    },
    end: () => 'own',
    setOpen: shown.setOpen,
    dispose: shown.dispose,
  }
}

/** Elements to which text is added. In others, such as a link, the caret would stand in what it does not belong to. */
const holders = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'li', 'td', 'th', 'pre', 'blockquote'])
const lists = new Set(['ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr'])

function createElement(first: MarkupElement, partOf: PartOf): ShownNode {
  const element = document.createElement(first.name)
  const outer = first.name === 'table' ? scrollBox(element) : element
  if (first.name === 'code') element.translate = false
  const children = createShownList(partOf, element)
  let known: MarkupElement | undefined
  const take = (node: MarkupNode): boolean => {
    if (node === known) return true
    if (typeof node === 'string' || node.name !== first.name || (known !== undefined && partOf(node) !== undefined)) return false
    writeAttributes(element, known, node)
    known = node
    children.take(listed(node.children))
    return true
  }
  take(first)
  const last = (): ShownNode | undefined =>
    first.name === 'tr'
      ? (children.nodes.findLast(({ outer: cell }) => cell.textContent !== '') ?? children.nodes[0])
      : children.nodes.at(-1)
  /** The child that grows; it is closed once another one stands behind it. */
  let growing: ShownNode | undefined
  const setOpen = (isOpen: boolean): void => {
    const next = isOpen ? last() : undefined
    if (growing !== next) growing?.setOpen(false)
    next?.setOpen(true)
    growing = next
  }
  return {
    outer,
    take,
    end: () => (lists.has(first.name) ? last()?.end() : undefined) ?? (holders.has(first.name) ? element : undefined),
    setOpen,
    dispose: children.dispose,
  }
}

const caretIn = (element: Element): ChildNode | null => (element.lastElementChild?.className === 'caret' ? element.lastElementChild : null)

/** Of what is not on the list the content is left. */
export const listed = (nodes: readonly MarkupNode[]): readonly MarkupNode[] =>
  nodes.flatMap((node) => (typeof node === 'string' || permittedAttributes(node) !== undefined ? [node] : listed(node.children)))

function writeAttributes(element: HTMLElement, before: MarkupElement | undefined, node: MarkupElement): void {
  const attributes = permittedAttributes(node) ?? []
  for (const [name, value] of attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  if (!before) return
  const kept = new Set(attributes.map(([name]) => name))
  for (const name of Object.keys(before.attributes)) if (!kept.has(name)) element.removeAttribute(name)
}

function scrollBox(table: HTMLElement): HTMLElement {
  const box = document.createElement('div')
  box.className = 'table-wrap'
  box.tabIndex = 0
  table.className = 'tbl'
  box.append(table)
  return box
}
