import { createDefinitions } from './definitions.js'
import { blocksOf, pieceNodes, withPlainEnds } from './markdown-markup.js'
import type { MarkupNode } from './markup.js'
import type { MarkdownOptions } from './options.js'
import { beginning, nextPiece, openPiece, type Piece } from './pieces.js'
import { withEnds } from './unfinished.js'

/** A text that grows, as far as it has come. */
export interface GrownMarkup {
  /** The finished pieces, in order. A piece that has not changed is the same object as before. */
  readonly finished: readonly (readonly MarkupNode[])[]
  /** What may still change, with its unfinished marks left out or closed. Nothing once the text is whole. */
  readonly open: readonly MarkupNode[]
}

/** Reads a text again and again while it grows at its end. */
export interface GrowingMarkdown {
  /**
   * Takes the whole text as it is now. Each finished piece is read once, so that the time depends on the
   * piece that is open. Once a text is no longer open, the nodes are those of `markdownMarkup`.
   */
  read(markdown: string, isOpen: boolean): GrownMarkup
}

interface Finished {
  readonly piece: Piece
  readonly nodes: readonly MarkupNode[]
  readonly taken: string
}

/**
 * Markdown of a text that grows.
 *
 * @example
 * const answer = growingMarkdown({ breaks: true })
 * answer.read('A **bold wo', true).open
 */
export function growingMarkdown(options: MarkdownOptions): GrowingMarkdown {
  const readBlocks = blocksOf(options)
  let before = ''
  let place = beginning
  let finished: Finished[] = []
  let definitions = createDefinitions()

  const startOver = (): void => {
    place = beginning
    finished = []
    definitions = createDefinitions()
  }
  const finish = (piece: Piece): Finished => ({
    piece,
    nodes: pieceNodes(piece, options, definitions),
    taken: definitions.takenBy(piece.text),
  })
  /** What a later definition has changed is read again. */
  const withDefinitions = (known: Finished): Finished =>
    known.piece.kind === 'code' || known.taken === definitions.takenBy(known.piece.text) ? known : finish(known.piece)

  const readFinished = (text: string): void => {
    for (let cut = nextPiece(text, place, false, readBlocks); cut; cut = nextPiece(text, place, false, readBlocks)) {
      finished.push(finish(cut.piece))
      place = cut.next
    }
  }
  const readOpen = (text: string): GrownMarkup => {
    definitions.readTo(text, text.lastIndexOf('\n') + 1)
    readFinished(text)
    const piece = openPiece(text, place)
    const shown = piece.kind === 'code' ? piece : { ...piece, text: withEnds(piece.text, options) }
    return { finished: finished.map(({ nodes }) => nodes), open: pieceNodes(shown, options, definitions) }
  }
  const readWhole = (text: string): GrownMarkup => {
    definitions = createDefinitions()
    definitions.readTo(text, text.length)
    finished = finished.map(withDefinitions)
    readFinished(text)
    const last: Finished[] = []
    for (let cut = nextPiece(text, place, true, readBlocks); cut; cut = nextPiece(text, cut.next, true, readBlocks))
      last.push(finish(cut.piece))
    return { finished: [...finished, ...last].map(({ nodes }) => nodes), open: [] }
  }
  return {
    read(markdown, isOpen) {
      const text = withPlainEnds(markdown)
      if (!text.startsWith(before)) startOver()
      before = text
      return isOpen ? readOpen(text) : readWhole(text)
    },
  }
}
