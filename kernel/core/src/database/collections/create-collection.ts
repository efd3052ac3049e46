import { setImmediate } from 'node:timers/promises'
import {
  type CommitCheck,
  type CommitResult,
  type DatabaseConnection,
  type DocumentRecord,
  type SearchLayout,
  uniqueViolationError,
} from '@agent-service/sdk/contracts/database-driver'
import type { Collection, Entry, Page, StoredObject, TextSearch } from '@agent-service/sdk/services/database'
import { checkDocument, isDocumentId } from '../documents/check-document.js'
import type { StoredEntry } from '../documents/entity-cache.js'
import type { Store } from '../documents/store.js'
import { documentOf } from '../documents/stored-entry.js'
import { conflictError, documentExistsError } from '../errors.js'
import { encodeCursor } from '../queries/cursor.js'
import { planSearch } from '../queries/plan-search.js'
import { planFind, planQuery } from '../queries/query-range.js'
import { putOf } from './collection-layout.js'
import type { OpenedCollection } from './collection-registry.js'

const maxDeleteAttempts = 16
/** How many characters of JSON are parsed before the event loop turns. */
const parseSlice = 512 * 1024

/**
 * The reads and single writes of one collection.
 * @param dependencies.opened - Returns the collection in its current layout; throws if its owner
 * may not use it.
 */
export function createCollection<Document extends StoredObject>(
  name: string,
  dependencies: { readonly store: Store; readonly connection: DatabaseConnection; readonly opened: () => OpenedCollection },
): Collection<Document> {
  const { store, connection, opened } = dependencies

  const read = (id: string): StoredEntry | undefined | Promise<StoredEntry | undefined> => {
    opened()
    if (!isDocumentId(id)) return undefined
    const reference = { collection: name, id }
    return store.cached(reference) ?? store.read(reference)
  }

  const write = async (
    document: Document,
    expected: number | undefined,
  ): Promise<{ readonly id: string; readonly result: CommitResult; readonly entry: Entry<Document> }> => {
    const { layout } = opened()
    const checked = checkDocument(name, document)
    const { id } = checked
    const checks: readonly CommitCheck[] = expected === undefined ? [] : [{ kind: 'revision', collection: name, id, revision: expected }]
    const result = await store.commit({ checks, writes: [putOf(layout, checked)] })
    if (result.outcome === 'unique-violation') throw uniqueViolationError.create({ collection: result.collection, index: result.index })
    const revision = result.outcome === 'committed' ? result.revision : 0
    return { id, result, entry: { document: checked.document as unknown as Document, revision } }
  }

  const documentsOf = async (records: readonly DocumentRecord[]): Promise<Document[]> => {
    const documents: Document[] = []
    let parsed = 0
    for (const record of records) {
      parsed += record.body.length
      documents.push(documentOf(name, record) as unknown as Document)
      if (parsed > parseSlice) {
        parsed = 0
        await setImmediate()
      }
    }
    return documents
  }

  const search = async (index: SearchLayout, asked: TextSearch): Promise<Page<Document>> => {
    asked.signal?.throwIfAborted()
    const planned = planSearch(opened().layout, index, asked)
    if (!planned) return { items: [] }
    const { records, more } = await connection.search(planned.query)
    const items = await documentsOf(records)
    const last = records.at(-1)
    return more && last ? { items, nextCursor: planned.cursorAt(last.position) } : { items }
  }

  const { search: index } = opened().layout
  return {
    name,
    ...(index && { search: (asked: TextSearch) => search(index, asked) }),
    async getEntry(id) {
      const entry = await read(id)
      return entry && { document: entry.document as unknown as Document, revision: entry.revision }
    },
    async get(id) {
      const entry = read(id)
      return (entry instanceof Promise ? await entry : entry)?.document as Document | undefined
    },
    async find(index, key) {
      const encoded = planFind(opened().layout, index, key)
      const found = encoded && (await store.find(name, index, encoded))
      return found?.document as Document | undefined
    },
    async query(query): Promise<Page<Document>> {
      const { range, scope } = planQuery(opened().layout, query)
      const { records, more } = await connection.range(range)
      const items = await documentsOf(records)
      const last = records.at(-1)
      return more && last ? { items, nextCursor: encodeCursor(scope, last) } : { items }
    },
    async insert(document) {
      const { id, result, entry } = await write(document, 0)
      if (result.outcome === 'conflict') throw documentExistsError.create({ collection: name, id })
      return entry
    },
    async put(document, { revision } = {}) {
      const { id, result, entry } = await write(document, revision)
      if (result.outcome === 'conflict') throw conflictError.create({ collection: name, id })
      return entry
    },
    async delete(id) {
      opened()
      if (!isDocumentId(id)) return false
      for (let attempt = 1; attempt <= maxDeleteAttempts; attempt++) {
        const [record] = await connection.read(name, [id])
        if (!record) return false
        const check: CommitCheck = { kind: 'revision', collection: name, id, revision: record.revision }
        const result = await store.commit({ checks: [check], writes: [{ kind: 'delete', collection: name, id }] })
        if (result.outcome === 'committed') return true
      }
      throw conflictError.create({ collection: name, id })
    },
  }
}
