import { createHash } from 'node:crypto'
import type { MemoryDocument } from '../lexical/memory-index.js'

/** The vector of a document, as a back end stores it beside the document. */
export interface StoredVector {
  /** The document's. */
  readonly id: string
  /** Of the text that it was made of: another one needs another vector. */
  readonly hash: string
  /** The space that it is in. Only vectors of one space can be compared. */
  readonly space: string
  /** Packed: one byte for each number, in base64. */
  readonly vector: string
}

/** Where a back end keeps vectors. They belong to the user's data: exported with nothing, erased with everything. */
export interface VectorStore {
  /** All vectors of a user. */
  read(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<StoredVector>
  /**
   * Stores vectors, in place of earlier ones of the same documents. Those whose document is gone
   * meanwhile are left out: look in the same transaction.
   */
  write(userId: string, vectors: readonly StoredVector[]): Promise<void>
  /** Removes the vectors of documents; those that are not there are no error. */
  remove(userId: string, ids: readonly string[]): Promise<void>
}

const maxTextLength = 8_000

/** What a model gets of a document. Empty if there is nothing to compare. */
export const embeddedTextOf = ({ title = '', aliases = [], text }: MemoryDocument): string =>
  [title, aliases.join(', '), text]
    .filter((part) => part.trim() !== '')
    .join('\n')
    .slice(0, maxTextLength)

/** Tells the texts of two states of a document apart. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
