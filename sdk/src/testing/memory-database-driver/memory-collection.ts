import type {
  CollectionLayout,
  DocumentRecord,
  IndexKey,
  IndexPosition,
  RangePage,
  RangeQuery,
  SearchText,
} from '../../contracts/database-driver/index.js'

/** A document with its keys and its entry in the text index. */
export interface MemoryDocument extends DocumentRecord {
  readonly keys: readonly IndexKey[]
  readonly search: SearchText | null
}

/**
 * One collection in memory. A change makes a new map, so that a holder of the old one keeps seeing
 * one moment.
 */
export interface MemoryCollection {
  readonly layout: CollectionLayout
  readonly documents: ReadonlyMap<string, MemoryDocument>
}

/** Compares as unsigned bytes, a prefix before what it is a prefix of. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  return Buffer.compare(left, right)
}

/** Compares ids by their UTF-8 bytes, which is by code point and not by UTF-16 unit. */
export function compareIds(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** The position of an index in the layout. */
export function indexPositionOf(layout: CollectionLayout, index: string): number {
  const position = layout.indexes.findIndex((candidate) => candidate.name === index)
  if (position < 0) throw new Error(`Collection ${layout.name} has no index “${index}”.`)
  return position
}

interface Entry {
  readonly document: MemoryDocument
  readonly position: IndexPosition
}

/** The documents of one index whose positions fit, by key and id. */
function entriesOf(collection: MemoryCollection, index: string, fits: (position: IndexPosition) => boolean): Entry[] {
  const at = indexPositionOf(collection.layout, index)
  const entries: Entry[] = []
  for (const document of collection.documents.values()) {
    const key = document.keys[at]
    const position = key && { key, id: document.id }
    if (position && fits(position)) entries.push({ document, position })
  }
  return entries.sort((left, right) => comparePositions(left.position, right.position))
}

function comparePositions(left: IndexPosition, right: IndexPosition): number {
  return compareBytes(left.key, right.key) || compareIds(left.id, right.id)
}

/** {@link RangeQuery} over a collection in memory. */
export function rangeOf(collection: MemoryCollection, query: RangeQuery): RangePage {
  const { lower, upper, after, order } = query
  const direction = order === 'ascending' ? 1 : -1
  const fits = (position: IndexPosition): boolean =>
    (!lower || compareBytes(position.key, lower) >= 0) &&
    (!upper || compareBytes(position.key, upper) < 0) &&
    (!after || direction * comparePositions(position, after) > 0)
  const entries = entriesOf(collection, query.index, fits)
  if (direction < 0) entries.reverse()
  const records: (DocumentRecord & { readonly key: Uint8Array })[] = []
  let bytes = 0
  for (const { document, position } of entries) {
    if (records.length >= query.limit) break
    bytes += Buffer.byteLength(document.body)
    if (records.length > 0 && bytes > query.maximumBytes) break
    records.push({ ...recordOf(document), key: Uint8Array.from(position.key) })
  }
  return { records, more: records.length < entries.length }
}

/** The first document by id with this key. */
export function findIn(collection: MemoryCollection, index: string, key: Uint8Array): DocumentRecord | undefined {
  const [entry] = entriesOf(collection, index, (position) => compareBytes(position.key, key) === 0)
  return entry && recordOf(entry.document)
}

/** A page by id. */
export function scanOf(collection: MemoryCollection, options: { readonly afterId?: string; readonly limit: number }): DocumentRecord[] {
  const { afterId, limit } = options
  return [...collection.documents.values()]
    .filter((document) => afterId === undefined || compareIds(document.id, afterId) > 0)
    .sort((left, right) => compareIds(left.id, right.id))
    .slice(0, limit)
    .map(recordOf)
}

/** A document as callers see it. */
export function recordOf(document: MemoryDocument): DocumentRecord {
  return { id: document.id, revision: document.revision, body: document.body }
}
