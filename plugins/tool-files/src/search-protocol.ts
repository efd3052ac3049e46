/** What a search looks for, line by line. */
export interface SearchQuery {
  readonly text: string
  readonly isExpression: boolean
  readonly ignoreCase: boolean
}

/** The first message of the thread: whether it can search, or for a model, why not. */
export interface SearchBeginning {
  readonly problem?: string
}

/** One file for the search thread. Its bytes are transferred. */
export interface SearchJob {
  readonly bytes: Uint8Array
  /** The most lines to return. */
  readonly limit: number
}

/** A matching line. */
export interface FoundLine {
  /** From 1. */
  readonly line: number
  /** The line, cut around the match. */
  readonly text: string
}

/** What the thread found; `undefined` for a file that is not text. */
export type SearchAnswer = readonly FoundLine[] | undefined
