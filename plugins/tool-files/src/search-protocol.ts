/** What a search looks for, in one line at a time. */
export interface SearchQuery {
  readonly text: string
  readonly isExpression: boolean
  readonly ignoreCase: boolean
}

/** The first that the thread says: whether it can search, or why it cannot, for a model. */
export interface SearchBeginning {
  readonly problem?: string
}

/** One file for the thread that searches. Its bytes are handed over. */
export interface SearchJob {
  readonly bytes: Uint8Array
  /** So many lines are told at most. */
  readonly limit: number
}

/** A line that fits. */
export interface FoundLine {
  /** From 1. */
  readonly line: number
  /** The line, cut around what fits. */
  readonly text: string
}

/** What the thread found; `undefined` for a file that is no text. */
export type SearchAnswer = readonly FoundLine[] | undefined
