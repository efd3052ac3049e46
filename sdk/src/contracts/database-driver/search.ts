import type { DocumentRecord } from './document-record.js'

/**
 * The text index of a collection, as it is laid out. All of it is kept for the kernel, which takes
 * texts apart; if any of it changes, the index is rebuilt.
 */
export interface SearchLayout {
  /** Paths of the members whose texts are searched. */
  readonly fields: readonly string[]
  /** The path of the member that a search is confined to. */
  readonly scope: string
  /** The path of the member that holds the time. */
  readonly order: string
  /** The generation of the kernel's rules for words. */
  readonly generation: number
}

/** A document's entry in the text index. */
export interface SearchText {
  /** Its owner. A search finds documents of one scope alone. */
  readonly scope: string
  /** Milliseconds since 1970, from 0 to 2^45 - 1: the later, the earlier it is found. */
  readonly order: number
  /**
   * Passages with a line feed between two, each of words with one space between two. A word is made
   * of letters, digits, marks and symbols outside ASCII, in the form that is compared, unit by
   * unit; of ASCII it has `a` to `z` and `0` to `9` alone.
   */
  readonly words: string
}

/** Words that must follow each other in one passage. */
export interface SearchTerm {
  /** At least one, each as in {@link SearchText.words}. */
  readonly words: readonly string[]
  /** The last one may be a prefix: “sun” finds “sunday”. */
  readonly prefix: boolean
}

/** A page of a text index. */
export interface SearchQuery {
  /** The name of a collection that has a text index. */
  readonly collection: string
  /** Documents of other scopes are never found. */
  readonly scope: string
  /** At least one. All of them must be in a document. */
  readonly terms: readonly SearchTerm[]
  /**
   * Continue after this position, exclusive; its document need not exist any longer. Any bytes are
   * a valid position.
   */
  readonly after?: Uint8Array
  /** The most records of the page, at least 1. */
  readonly limit: number
  /** Stop before the sum of the bodies' bytes exceeds this, but return at least one record. */
  readonly maximumBytes: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

/** One page of a text index. */
export interface SearchPage {
  /**
   * By `order`, descending; documents of one millisecond in an order of the driver's own, which
   * stays the same. Each with its position, which is the driver's to read: it changes when the
   * document's `order` does and at no other time.
   */
  readonly records: readonly (DocumentRecord & { readonly position: Uint8Array })[]
  /** Whether more records follow. */
  readonly more: boolean
}
