import { createDefinitions } from './definitions.js'
import { blocksOf, noteNodes, notesOf, pieceNodes, withPlainEnds } from './markdown-markup.js'
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
  let wasOpen = true
  let place = beginning
  let finished: Finished[] = []
  const hasNotes = options.footnotes !== undefined
  let definitions = createDefinitions(hasNotes)
  let notes = notesOf(options, definitions, true)

  const begin = (isOpen: boolean): void => {
    definitions = createDefinitions(hasNotes)
    notes = notesOf(options, definitions, isOpen)
    wasOpen = isOpen
  }
  const startOver = (): void => {
    place = beginning
    finished = []
    begin(true)
  }
  const finish = (piece: Piece): Finished => ({
    piece,
    nodes: pieceNodes(piece, options, definitions, notes),
    taken: definitions.takenBy(piece.text),
  })
  /** What a later definition has changed is read again. */
  const withDefinitions = (known: Finished): Finished =>
    known.piece.kind === 'code' || (known.taken === definitions.takenBy(known.piece.text) && !(hasNotes && known.piece.text.includes('[^')))
      ? known
      : finish(known.piece)

  const readFinished = (text: string): void => {
    for (let cut = nextPiece(text, place, false, readBlocks); cut; cut = nextPiece(text, place, false, readBlocks)) {
      finished.push(finish(cut.piece))
      place = cut.next
    }
  }
  const readOpen = (text: string): GrownMarkup => {
    if (!wasOpen) startOver()
    definitions.readTo(text, text.lastIndexOf('\n') + 1)
    readFinished(text)
    const piece = openPiece(text, place)
    const shown = piece.kind === 'code' ? piece : { ...piece, text: withEnds(piece.text, options) }
    const open = pieceNodes(shown, options, definitions, notes)
    // Notes are shown while they are written, and at the end.
    return { finished: finished.map(({ nodes }) => nodes), open: open.length > 0 ? open : noteNodes(notes) }
  }
  const readWhole = (text: string): GrownMarkup => {
    begin(false)
    definitions.readTo(text, text.length)
    finished = finished.map(withDefinitions)
    readFinished(text)
    const last: Finished[] = []
    for (let cut = nextPiece(text, place, true, readBlocks); cut; cut = nextPiece(text, cut.next, true, readBlocks))
      last.push(finish(cut.piece))
    const below = noteNodes(notes)
    const nodes = [...finished, ...last].map((each) => each.nodes)
    return { finished: below.length > 0 ? [...nodes, below] : nodes, open: [] }
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
