import { blockNodes, codeNode, writtenNode } from './blocks.js'
import { withNamedDirections, withoutOverrides } from './characters.js'
import { type Definitions, definitionsOf } from './definitions.js'
import { lexerFor, tokensOf } from './dialect.js'
import { element, type MarkupElement, type MarkupNode } from './markup.js'
import type { MarkdownOptions } from './options.js'
import { type Piece, piecesOf } from './pieces.js'

/**
 * Markdown as elements and texts, piece by piece. HTML in it is shown as text, but for a few
 * elements without attributes that only change how a text looks. Pictures are links. A link leads
 * to `http`, `https` or `mailto`; any other is its text alone. Where the text of a link names
 * another host, the real one follows it.
 */
export function* markdownMarkup(markdown: string, options: MarkdownOptions): Iterable<readonly MarkupNode[]> {
  let left = options.maxFormatted ?? Number.POSITIVE_INFINITY
  let written: string[] = []
  const text = markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '\u{fffd}')
  const definitions = definitionsOf(text)
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'markdown' && piece.text.length > left) {
      left = 0
      written.push(piece.text)
      continue
    }
    if (written.length > 0) yield [ordered(plainNode(written))]
    written = []
    if (piece.kind === 'markdown') left -= piece.text.length
    yield pieceNodes(piece, options, definitions).map((node) => ordered(node))
  }
  if (written.length > 0) yield [ordered(plainNode(written))]
}

/** A node whose letters stand in the order in which they were written. */
function ordered(node: MarkupNode, isCode = false): MarkupNode {
  if (typeof node === 'string') return isCode ? withNamedDirections(node) : withoutOverrides(node)
  return { ...node, children: node.children.map((child) => ordered(child, isCode || node.name === 'code')) }
}

/** Of any number of lines it is one element. A parser leaves out the end of a line right after its tag. */
const plainNode = (texts: readonly string[]): MarkupElement => element('pre', [texts.join('\n').replace(/^\n+/, '')], { dir: 'auto' })

function pieceNodes(piece: Piece, options: MarkdownOptions, { links, isUsed }: Definitions): readonly MarkupNode[] {
  if (piece.kind === 'code') return [codeNode(piece.text, piece.info)]
  const tokens = tokensOf(() => lexerFor(options, links).lex(piece.text))
  return tokens === undefined ? [writtenNode(piece.text)] : blockNodes(tokens, { ...options, isUsed })
}
