import MiniSearch from 'minisearch'
import { queryTermsOf, termsOf } from '../terms/terms.js'
import { createSlices } from './slices.js'

/** A text that can be found. */
export interface MemoryDocument {
  /** Unique in its index. */
  readonly id: string
  /** What it is about. A word in it counts four times. */
  readonly title?: string
  /** Other names of what it is about. A word in them counts four times. */
  readonly aliases?: readonly string[]
  /** Only the first 10,000 characters are searched. */
  readonly text: string
}

/** A document that fits a query. */
export interface MemoryMatch {
  /** Its id. */
  readonly id: string
  /** How well, higher is better; of use only beside others of the same answer. */
  readonly score: number
}

/** What is wanted of a search. */
export interface MemorySearchOptions {
  /** The most matches. */
  readonly limit: number
  /** Whether a document may be found. Pure and fast. Default: all may. */
  readonly accepts?: (id: string) => boolean
}

/** Documents of one user, found by their words. Everything but building it is cheap. */
export interface MemoryIndex {
  /** How many documents it holds. */
  readonly size: number
  /** Whether it holds a document. */
  has(id: string): boolean
  /** Adds a document, or takes another state of one. */
  put(document: MemoryDocument): void
  /** Removes a document; false if it does not hold it. */
  remove(id: string): boolean
  /**
   * The best matches, the best first; of equal ones the lower id. A document needs only one of the
   * words. Case, accents, widths of letters and the endings of English words make no difference; a
   * word of more than three letters also finds those that begin with it; writing without spaces is
   * found by its words and characters.
   */
  search(text: string, options: MemorySearchOptions): readonly MemoryMatch[]
}

const maxTextLength = 10_000
const boost = { title: 4, aliases: 4, text: 1 }
type Field = keyof typeof boost

/** Makes an index without documents. */
export function createMemoryIndex(): MemoryIndex {
  const engine = new MiniSearch<MemoryDocument>({
    idField: 'id',
    fields: Object.keys(boost),
    extractField: (document, name) => (name === 'id' ? document.id : fieldOf(document, name as Field)),
    tokenize: (text) => [...termsOf(text)],
    processTerm: (term) => term,
    searchOptions: {
      boost,
      combineWith: 'OR',
      prefix: (term) => term.length > 3,
      tokenize: (text) => [...queryTermsOf(text)],
      processTerm: (term) => term,
    },
  })
  return {
    get size() {
      return engine.documentCount
    },
    has: (id) => engine.has(id),
    put(document) {
      if (engine.has(document.id)) engine.discard(document.id)
      engine.add(document)
    },
    remove(id) {
      if (!engine.has(id)) return false
      engine.discard(id)
      return true
    },
    search(text, { limit, accepts }) {
      const found = engine.search(text, accepts ? { filter: ({ id }) => accepts(String(id)) } : {})
      const matches = found.map(({ id, score }) => ({ id: String(id), score }))
      return matches.sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1)).slice(0, limit)
    },
  }
}

const fieldOf = ({ title = '', aliases = [], text }: MemoryDocument, name: Field): string =>
  (name === 'text' ? text : name === 'title' ? title : aliases.join('\n')).slice(0, maxTextLength)

/**
 * Makes an index of documents, in slices, so that others get a turn meanwhile; of at most
 * `maxDocuments`, those that come first. @throws the signal's reason.
 */
export async function buildMemoryIndex(
  documents: Iterable<MemoryDocument> | AsyncIterable<MemoryDocument>,
  { signal, maxDocuments = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly maxDocuments?: number },
): Promise<MemoryIndex> {
  const index = createMemoryIndex()
  const pause = createSlices(signal)
  signal.throwIfAborted()
  for await (const document of documents) {
    if (index.size >= maxDocuments) break
    index.put(document)
    await pause()
  }
  // Who searches next does so in a turn of its own.
  await new Promise<void>((resolve) => setImmediate(resolve))
  signal.throwIfAborted()
  return index
}
