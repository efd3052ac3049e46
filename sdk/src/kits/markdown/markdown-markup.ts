import { blockNodes, codeNode, writtenNode } from './blocks.js'
import { withNamedDirections, withoutOverrides } from './characters.js'
import { createDefinitions, type Definitions } from './definitions.js'
import { lexerFor, tokensOf } from './dialect.js'
import { createFootnotes, type Footnotes } from './footnotes.js'
import { element, type MarkupElement, type MarkupNode } from './markup.js'
import type { MarkdownOptions } from './options.js'
import { beginning, nextPiece, type Piece, type ReadBlocks, unformattedPieces } from './pieces.js'

/**
 * Markdown as elements and texts, piece by piece. HTML in it is shown as text, but for a few
 * elements without attributes that only change how a text looks. Pictures are links. A link leads
 * to `http`, `https` or `mailto`; any other is its text alone. Where the text of a link names
 * another host, the real one follows it.
 */
export function* markdownMarkup(markdown: string, options: MarkdownOptions): Iterable<readonly MarkupNode[]> {
  let left = options.maxFormatted ?? Number.POSITIVE_INFINITY
  const text = withPlainEnds(markdown)
  const definitions = createDefinitions(options.footnotes !== undefined)
  definitions.readTo(text, text.length)
  const notes = notesOf(options, definitions, false)
  let place = beginning
  for (;;) {
    const cut = nextPiece(text, place, true, blocksOf(options))
    if (cut?.piece.kind === 'markdown') left -= cut.piece.text.length
    if (cut === undefined || left < 0) break
    yield pieceNodes(cut.piece, options, definitions, notes)
    place = cut.next
  }
  for (const piece of unformattedPieces(text, place.at))
    yield [ordered(piece.kind === 'code' ? codeNode(piece.text, piece.info) : plainNode(piece.text))]
  const below = noteNodes(notes)
  if (below.length > 0) yield below
}

/** The notes of a text, if they are read. */
export const notesOf = ({ footnotes }: MarkdownOptions, { isNote, isUsed }: Definitions, isOpen: boolean): Footnotes | undefined =>
  footnotes === undefined ? undefined : createFootnotes(footnotes, { isDefined: isNote, isUsed, isOpen })

/** The notes below a text. */
export const noteNodes = (notes: Footnotes | undefined): readonly MarkupNode[] => (notes?.nodes() ?? []).map((node) => ordered(node))

/** A text whose lines end in one way. */
export const withPlainEnds = (markdown: string): string => markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '\u{fffd}')

/** What finds the blocks of a piece, without reading what is in them. */
export const blocksOf =
  (options: MarkdownOptions): ReadBlocks =>
  (text) =>
    tokensOf(() => lexerFor(options, {}).blockTokens(text, []))

/** The nodes of a piece. What is nested too deeply is shown as it was written. */
export function pieceNodes(
  piece: Piece,
  options: MarkdownOptions,
  { links, isUsed }: Definitions,
  notes: Footnotes | undefined,
): readonly MarkupNode[] {
  if (piece.kind === 'code') return [ordered(codeNode(piece.text, piece.info))]
  const tokens = tokensOf(() => lexerFor(options, links).lex(piece.text))
  const isTaken = (label: string): boolean => label in links && isUsed(label)
  const nodes = tokens === undefined ? [writtenNode(piece.text)] : blockNodes(tokens, { ...options, isUsed: isTaken, notes })
  return nodes.map((node) => ordered(node))
}

/** A node whose letters stand in the order in which they were written. */
function ordered(node: MarkupNode, isCode = false): MarkupNode {
  if (typeof node === 'string') return isCode ? withNamedDirections(node) : withoutOverrides(node)
  return { ...node, children: node.children.map((child) => ordered(child, isCode || node.name === 'code')) }
}

/** Of any number of lines it is one element. A parser leaves out the end of a line right after its tag. */
const plainNode = (text: string): MarkupElement => element('pre', [text.replace(/^\n+/, '')], { dir: 'auto' })
