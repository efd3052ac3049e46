import { markdownMarkup } from './markdown-markup.js'
import { type MarkupName, type MarkupNode, permittedAttributes } from './markup.js'
import type { MarkdownOptions } from './options.js'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** How nodes become HTML. */
export interface MarkdownHtmlOptions extends MarkdownOptions {
  /** Markup of the page before and after each element of a name, such as a box in which tables scroll. It is written as it is. */
  readonly around?: Readonly<Partial<Record<MarkupName, readonly [before: string, after: string]>>>
}

/**
 * Markdown as HTML, piece by piece, so that whatever writes them to a client can let others work in
 * between.
 *
 * @example
 * const pieces = markdownHtml('A **bold** word, and <b onclick="…">text</b>.', { breaks: true })
 * const html = [...pieces].join('')
 */
export function* markdownHtml(markdown: string, options: MarkdownHtmlOptions): Iterable<string> {
  for (const nodes of markdownMarkup(markdown, options)) yield markupHtml(nodes, options)
}

/** Nodes as HTML. A parser makes exactly these elements of it again, and no others. */
export const markupHtml = (nodes: readonly MarkupNode[], options: Pick<MarkdownHtmlOptions, 'around'> = {}): string =>
  nodes.map((node) => nodeHtml(node, options)).join('')

function nodeHtml(node: MarkupNode, options: Pick<MarkdownHtmlOptions, 'around'>): string {
  if (typeof node === 'string') return escaped(node)
  const permitted = permittedAttributes(node)
  if (permitted === undefined) return markupHtml(node.children, options)
  const attributes = permitted.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  if (node.name === 'br' || node.name === 'hr') return `<${node.name}>`
  const [before = '', after = ''] = options.around?.[node.name] ?? []
  return `${before}<${node.name}${attributes}>${markupHtml(node.children, options)}</${node.name}>${after}`
}
