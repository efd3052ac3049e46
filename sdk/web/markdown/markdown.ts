import { growingMarkdown, type MarkdownOptions, type MarkupNode, markdownMarkup, permittedAttributes } from '@agent-service/sdk/markdown'
import { maxFormatted } from './limits.js'
import { createMarkdownView, type MarkdownView } from './markdown-view.js'
import type { PartOf } from './shown-nodes.js'

export { markdownMarkup }

/** Whether a text is one of a chat, in which lines end where their writers ended them, or a file. */
export type MarkdownKind = 'message' | 'document'

/** For ids that no other text of the page has. */
let views = 0

const optionsOf = (kind: MarkdownKind): MarkdownOptions => ({
  breaks: kind === 'message',
  maths: kind === 'message',
  ownOrigins: [location.origin],
})

/**
 * The nodes of Markdown, without anything that could run or load: each is made by itself from the
 * list of the kit, and no text is parsed as HTML.
 */
export function markdownNodes(source: string, kind: MarkdownKind): DocumentFragment {
  const fragment = document.createDocumentFragment()
  for (const nodes of markdownMarkup(source, { ...optionsOf(kind), maxFormatted })) fragment.append(...nodes.map(nodeOf))
  return fragment
}

/** What shows a message that may still grow. */
export function messageView(partOf: PartOf): MarkdownView {
  views += 1
  return createMarkdownView(growingMarkdown({ ...optionsOf('message'), footnotes: `text-${views}` }), partOf)
}

/** A node of the page. Of what is not on the list the content is left. */
export function nodeOf(node: MarkupNode): Node {
  if (typeof node === 'string') return document.createTextNode(node)
  const children = node.children.map(nodeOf)
  const attributes = permittedAttributes(node)
  const parent = attributes === undefined ? document.createDocumentFragment() : document.createElement(node.name)
  if (parent instanceof Element) for (const [name, value] of attributes ?? []) parent.setAttribute(name, value)
  parent.append(...children)
  return parent
}
