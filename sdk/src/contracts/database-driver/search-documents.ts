import type { DocumentRecord } from './document-record.js'
import type { SearchPage, SearchQuery, SearchTerm, SearchText } from './search.js'

/** A document with its entry in the text index. */
export interface SearchableDocument extends DocumentRecord {
  /** As the newest commit of the document gave it; null or absent: no search finds the document. */
  readonly search?: SearchText | null
}

/** How long one slice may take before other work gets its turn, in milliseconds. */
const sliceMs = 4

/**
 * {@link SearchQuery} for drivers that hold their documents in memory: looks at each document of
 * the scope, in slices of a few milliseconds.
 * @param documents - Those of one moment; they must not change while this runs.
 * @throws the signal's reason when it is aborted.
 */
export async function searchDocuments(documents: Iterable<SearchableDocument>, query: SearchQuery): Promise<SearchPage> {
  const { scope, limit, maximumBytes, signal } = query
  const matches = createSearchMatcher(query.terms)
  const after = query.after && Buffer.from(query.after)
  const candidates: { readonly document: SearchableDocument; readonly words: string; readonly position: Buffer }[] = []
  let slice = performance.now() + sliceMs
  const breathe = async (): Promise<void> => {
    signal?.throwIfAborted()
    if (performance.now() < slice) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    slice = performance.now() + sliceMs
  }
  signal?.throwIfAborted()
  for (const document of documents) {
    const { search } = document
    if (search?.scope === scope) {
      const position = positionOf(document.id, search.order)
      if (!after || Buffer.compare(position, after) < 0) candidates.push({ document, words: search.words, position })
    }
    await breathe()
  }
  candidates.sort((left, right) => Buffer.compare(right.position, left.position))
  const records: (DocumentRecord & { readonly position: Uint8Array })[] = []
  let bytes = 0
  for (const { document, words, position } of candidates) {
    await breathe()
    if (!matches(words)) continue
    if (records.length >= limit) return { records, more: true }
    const { id, revision, body } = document
    bytes += Buffer.byteLength(body)
    if (records.length > 0 && bytes > maximumBytes) return { records, more: true }
    records.push({ id, revision, body, position: Uint8Array.from(position) })
  }
  return { records, more: false }
}

/**
 * Whether words are found: the meaning of {@link SearchTerm}, for drivers that look at documents
 * one by one.
 */
export function createSearchMatcher(terms: readonly SearchTerm[]): (words: string) => boolean {
  const needles = terms.map(({ words, prefix }) => ` ${words.join(' ')}${prefix ? '' : ' '}`)
  return (words) => {
    const passages = ` ${words.replaceAll('\n', ' \n ')} `
    return needles.every((needle) => passages.includes(needle))
  }
}

/** By time, then by id, both as bytes. */
function positionOf(id: string, order: number): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(order))
  return Buffer.concat([time, Buffer.from(id)])
}
