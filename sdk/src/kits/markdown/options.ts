import type { Footnotes } from './footnotes.js'

/** How Markdown is read. */
export interface MarkdownOptions {
  /**
   * Whether the end of a line within a paragraph is shown, as the writers of messages mean it; in documents, whose lines are
   * often filled, it is a space.
   */
  readonly breaks: boolean
  /**
   * The origins at which the page's own service answers, at their root or below a path. Foreign links
   * there lead to its pages and to files by their address, and to no other operation of its API.
   */
  readonly ownOrigins?: readonly string[]
  /**
   * Whether what stands between `$` and `$`, `$$` and `$$`, `\(` and `\)`, `\[` and `\]` is maths: its source becomes `code`
   * with the class `math-inline` or `math-display`. Left out, it is text like any other.
   */
  readonly maths?: boolean
  /**
   * Reads footnotes, which stand below the text; the ids of notes and references begin with this: letters, digits and
   * hyphens that no other text of the page has. Left out, they are text like any other.
   */
  readonly footnotes?: string
  /**
   * After this many characters outside of fenced code, the rest is shown as it was written, which takes
   * almost no time; unlimited if it is left out.
   */
  readonly maxFormatted?: number
}

/** How blocks are read. */
export interface BlockOptions extends MarkdownOptions {
  /** Whether the text refers to a definition; one to which nothing refers is shown as it was written. */
  readonly isUsed: (label: string) => boolean
  readonly notes?: Footnotes | undefined
}

/** What is nested more deeply is shown as it was written. */
export const maxDepth = 30
