import assert from 'node:assert/strict'
import type {
  CollectionLayout,
  CommitWrite,
  DatabaseConnection,
  DocumentRecord,
  IndexKey,
  SearchPage,
  SearchQuery,
  SearchTerm,
  SearchText,
} from '../../../contracts/database-driver/index.js'
import { bytes, commitWrites } from './suite-data.js'
import type { SuiteStore } from './suite-store.js'

/** The collection that the tests of searches use. */
export const texts: CollectionLayout = {
  name: 'suite.texts',
  version: 1,
  indexes: [{ name: 'by_code', fields: ['code'], unique: true }],
  search: { fields: ['words'], scope: 'scope', order: 'order', generation: 1 },
}

/** The same without its text index. */
export const plainTexts: CollectionLayout = { name: texts.name, version: texts.version, indexes: texts.indexes }

interface StoredText extends Partial<SearchText> {
  readonly code?: string
}

const contentOf = ({ body }: DocumentRecord): StoredText => JSON.parse(body) as StoredText

/** The index key of a stored document of {@link texts}. */
export function codeOf(record: DocumentRecord): readonly IndexKey[] {
  const { code } = contentOf(record)
  return [code === undefined ? null : bytes(code)]
}

/** What the text index has of a stored document. */
export function searchOf(record: DocumentRecord): SearchText | null {
  const { scope, order, words } = contentOf(record)
  return scope === undefined || order === undefined || words === undefined ? null : { scope, order, words }
}

/** Makes the store's collection {@link texts}. */
export const ensureTexts = ({ connection }: Pick<SuiteStore, 'connection'>): Promise<void> =>
  connection.ensureCollection(texts, codeOf, searchOf)

/** Makes {@link texts} in a store without it, and applies these writes. */
export async function fillTexts(store: SuiteStore, ...writes: readonly CommitWrite[]): Promise<DatabaseConnection> {
  await ensureTexts(store)
  await commitWrites(store.connection, ...writes)
  return store.connection
}

/** A write of {@link texts}; without words the document is in no text index. */
export function putText(id: string, words?: string, { scope = 'ann', order = 1, code }: Omit<StoredText, 'words'> = {}): CommitWrite {
  const search = words === undefined ? null : { scope, order, words }
  return {
    kind: 'put',
    collection: texts.name,
    id,
    body: JSON.stringify({ id, ...search, ...(code !== undefined && { code }) }),
    keys: [code === undefined ? null : bytes(code)],
    search,
  }
}

/** A write that deletes a document of {@link texts}. */
export const removeText = (id: string): CommitWrite => ({ kind: 'delete', collection: texts.name, id })

/** Terms in short: one a string, the words with spaces between, `*` after a prefix. */
export const termsOf = (...terms: readonly string[]): readonly SearchTerm[] =>
  terms.map((term) => ({ words: term.replace('*', '').split(' '), prefix: term.endsWith('*') }))

/** One page. */
export const searchPage = (connection: DatabaseConnection, query: Partial<SearchQuery>): Promise<SearchPage> =>
  connection.search({ collection: texts.name, scope: 'ann', terms: [], limit: 100, maximumBytes: 1 << 22, ...query })

/** Every id that is found, read in pages; fails if the newest is not first, or a page is wrong. */
export async function found(
  connection: DatabaseConnection,
  terms: readonly SearchTerm[],
  query: Partial<SearchQuery> = {},
): Promise<string[]> {
  const ids: string[] = []
  const { limit = 3, after } = query
  let last = Number.POSITIVE_INFINITY
  for (let position = after; ; ) {
    const page = await searchPage(connection, { ...query, terms, limit, ...(position && { after: position }) })
    assert.ok(page.records.length <= limit, 'a page has more than its limit')
    for (const record of page.records) {
      const { order = Number.NaN } = contentOf(record)
      assert.ok(order <= last, `${record.id} of ${order} comes behind one of ${last}`)
      last = order
      assert.ok(!ids.includes(record.id), `${record.id} came twice`)
      ids.push(record.id)
    }
    position = page.records.at(-1)?.position
    if (!page.more || !position) return ids
  }
}
