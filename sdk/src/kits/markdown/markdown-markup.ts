import { Marked } from 'marked'
import { blockNodes, codeNode, writtenNode } from './blocks.js'
import type { MarkupNode } from './markup.js'
import type { MarkdownOptions } from './options.js'
import { type Piece, piecesOf } from './pieces.js'

const lexers = { true: new Marked({ gfm: true, breaks: true }), false: new Marked({ gfm: true, breaks: false }) } as const

/**
 * Markdown as elements and texts, piece by piece. HTML in it is shown as text, but for a few
 * elements without attributes that only change how a text looks. Pictures are links. A link leads
 * to `http`, `https` or `mailto`; any other is its text alone. Where the text of a link names
 * another host, the real one follows it.
 */
export function* markdownMarkup(markdown: string, options: MarkdownOptions): Iterable<readonly MarkupNode[]> {
  for (const piece of piecesOf(markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '\u{fffd}'))) yield pieceNodes(piece, options)
}

function pieceNodes(piece: Piece, options: MarkdownOptions): readonly MarkupNode[] {
  if (piece.kind === 'code') return [codeNode(piece.text, piece.info)]
  try {
    return blockNodes(lexers[options.breaks ? 'true' : 'false'].lexer(piece.text), options)
  } catch (error) {
    // The lexer recurses: what is nested too deeply is shown as it was written.
    if (isTooDeep(error)) return [writtenNode(piece.text)]
    throw error
  }
}

/** Firefox has an error of its own for it. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')
