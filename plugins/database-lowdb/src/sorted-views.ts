import type { DocumentRecord, IndexPosition, RangePage, RangeQuery } from '@agent-service/sdk/contracts/database-driver'
import { type CollectionState, keyText, positionOf, type StoredDocument, toRecord } from './collection-state.js'

interface Entry {
  readonly document: StoredDocument
  readonly key: Uint8Array
  readonly id: Buffer
}

interface Views {
  /** By index name: the documents that have a key, by key and id. */
  readonly entries: Map<string, readonly Entry[]>
  /** By index name: the documents of each key, unordered. */
  readonly byKey: Map<string, ReadonlyMap<string, readonly StoredDocument[]>>
  byId?: readonly StoredDocument[]
}

/**
 * Views are made when they are first asked for, and go with the collection's state, which never
 * changes.
 */
const viewsOf = new WeakMap<CollectionState, Views>()

function views(collection: CollectionState): Views {
  const known = viewsOf.get(collection)
  if (known) return known
  const made: Views = { entries: new Map(), byKey: new Map() }
  viewsOf.set(collection, made)
  return made
}

const compareIds = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

function entriesOf(collection: CollectionState, index: string): readonly Entry[] {
  const { entries } = views(collection)
  const known = entries.get(index)
  if (known) return known
  const at = positionOf(collection.layout, index)
  const made = [...collection.documents.values()]
    .flatMap((document): Entry[] => {
      const key = document.keys[at]
      return key ? [{ document, key, id: Buffer.from(document.id) }] : []
    })
    .sort((left, right) => Buffer.compare(left.key, right.key) || Buffer.compare(left.id, right.id))
  entries.set(index, made)
  return made
}

/** The documents with a key, in no order. */
export function documentsWithKey(collection: CollectionState, index: string, key: Uint8Array): readonly StoredDocument[] {
  const { byKey } = views(collection)
  let documents = byKey.get(index)
  if (!documents) {
    documents = groupByKey(collection, positionOf(collection.layout, index))
    byKey.set(index, documents)
  }
  return documents.get(keyText(key)) ?? []
}

function groupByKey(collection: CollectionState, at: number): ReadonlyMap<string, readonly StoredDocument[]> {
  const groups = new Map<string, StoredDocument[]>()
  for (const document of collection.documents.values()) {
    const key = document.keys[at]
    if (!key) continue
    const group = groups.get(keyText(key))
    if (group) group.push(document)
    else groups.set(keyText(key), [document])
  }
  return groups
}

/** The first document by id with a key. */
export function firstWithKey(collection: CollectionState, index: string, key: Uint8Array): DocumentRecord | undefined {
  const [first] = documentsWithKey(collection, index, key).toSorted((left, right) => compareIds(left.id, right.id))
  return first && toRecord(first)
}

/** All documents by the bytes of their ids. */
export function documentsById(collection: CollectionState): readonly StoredDocument[] {
  const made = views(collection)
  made.byId ??= [...collection.documents.values()].sort((left, right) => compareIds(left.id, right.id))
  return made.byId
}

/** {@link RangeQuery} over a collection in memory. */
export function rangeOf(collection: CollectionState, { index, lower, upper, after, order, limit, maximumBytes }: RangeQuery): RangePage {
  const sorted = entriesOf(collection, index)
  const ascending = order === 'ascending'
  const isAfter = afterPosition(after, ascending)
  const inside = sorted.filter(
    (entry) => (!lower || Buffer.compare(entry.key, lower) >= 0) && (!upper || Buffer.compare(entry.key, upper) < 0) && isAfter(entry),
  )
  if (!ascending) inside.reverse()
  const records: (DocumentRecord & { readonly key: Uint8Array })[] = []
  let bytes = 0
  for (const { document, key } of inside.slice(0, limit)) {
    bytes += Buffer.byteLength(document.body)
    if (records.length > 0 && bytes > maximumBytes) break
    records.push({ ...toRecord(document), key: Uint8Array.from(key) })
  }
  return { records, more: records.length < inside.length }
}

function afterPosition(after: IndexPosition | undefined, ascending: boolean): (entry: Entry) => boolean {
  if (!after) return () => true
  const id = Buffer.from(after.id)
  return (entry) => {
    const difference = Buffer.compare(entry.key, after.key) || Buffer.compare(entry.id, id)
    return ascending ? difference > 0 : difference < 0
  }
}
