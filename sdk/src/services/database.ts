import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/** A value that an index can hold. What is missing in a document counts as null. */
export type IndexValue = null | boolean | number | string

/** An index over one or more members of the documents, in this order. */
export interface IndexDefinition {
  /** Dotted paths of members that hold null, a boolean, a number or a string. */
  readonly fields: readonly string[]
  /**
   * No two documents may have the same key. A key that is null in all its fields is exempt. Default
   * false.
   */
  readonly unique?: boolean
}

/**
 * A text index. All that it names are dotted paths, and a path goes through lists: if `content` is
 * a list of parts, `content.text` is the member `text` of each of them.
 */
export interface SearchDefinition {
  /**
   * Paths of the searched members, 1 to 8. Only strings are searched, of each document the first
   * 100,000 characters.
   */
  readonly fields: readonly string[]
  /**
   * The path of a string that a search is confined to, as a rule the user's id. A document without
   * one is not found.
   */
  readonly scope: string
  /**
   * The path of a time, which orders what is found, the newest first: an RFC 3339 text, a UUID of
   * version 7, or a number of milliseconds since 1970. A document without one counts as the oldest.
   * Milliseconds decide; the order inside one is the driver's, and stays.
   */
  readonly order: string
}

/**
 * One step in the life of a collection's shape. Pure and synchronous: it gets a document of the
 * version before and returns one of `to`.
 */
export interface CollectionMigration {
  /** The version that it makes, one above the one it reads. */
  readonly to: number
  /** One sentence for the person who reads a dry run. */
  readonly description: string
  /**
   * Returns the document in its new shape, with the same `id`, without changing its argument. A
   * throw ends the start with `migration_failed`, which names the document.
   */
  migrate(document: JsonObject): JsonObject
}

/**
 * A typed collection of JSON documents, each with a string member `id`. The definition is data and
 * pure functions; the plugin lists it in `definePlugin({ collections })`.
 */
export interface CollectionDefinition<Document extends StoredObject = StoredObject> {
  /**
   * `<owner>.<plural>` in snake_case: `agents.chats`. Unique in a deployment. The owner of a third
   * party's is its plugin's id: `tool_dice.rolls` of `tool-dice`. A collection stays its owner's,
   * also while the plugin does not run.
   */
  readonly name: string
  /**
   * The version of the documents' shape, from 1. A stored version above it fails the start: the
   * data is newer than the code.
   */
  readonly version: number
  /**
   * By name: letters, digits and `_`, a letter first. A new one is filled at the next start, a
   * removed one is dropped.
   */
  readonly indexes: Readonly<Record<string, IndexDefinition>>
  /**
   * Makes the collection searchable by words. A new or changed one is filled at the next start, a
   * removed one is dropped.
   */
  readonly search?: SearchDefinition
  /**
   * For data that belongs to users: the member that holds the user's id. Such a collection needs a
   * `user.data` contribution that names it.
   */
  readonly userField?: string
  /**
   * Members at the top level, in no index and not searched, that hold nothing but texts of
   * `SealedFields` (`services/secrets`) or null. The kernel seals them again when it replaces its
   * keys, also while the plugin is switched off. Neither the member nor the collection can be
   * renamed: a text opens only where it was sealed for.
   */
  readonly sealed?: readonly string[]
  /** From each older version to the next, in order. */
  readonly migrations?: readonly CollectionMigration[]
  /** Only for the compiler. */
  readonly document?: Document
}

/** What every document is: a JSON object with an id of 1 to 200 bytes of UTF-8. */
export interface StoredObject {
  /** 1 to 200 bytes of UTF-8, unique in its collection. */
  readonly id: string
}

/**
 * Gives a collection its document type: `defineCollection<Chat>()({ name: 'agents.chats', … })`.
 *
 * @example
 * interface Note { readonly id: string; readonly user_id: string; readonly text: string }
 * const notes = defineCollection<Note>()({
 *   name: 'notes.notes',
 *   version: 1,
 *   userField: 'user_id',
 *   indexes: { by_user: { fields: ['user_id', 'id'] } },
 * })
 */
export const defineCollection =
  <Document extends StoredObject>() =>
  (definition: CollectionDefinition<Document>): CollectionDefinition<Document> =>
    Object.freeze({ ...definition })

/**
 * A document with the revision that it was read at. Revisions grow with every committed write and
 * are never reused.
 */
export interface Entry<Document extends StoredObject> {
  /** Deeply frozen. */
  readonly document: Document
  /** What `put` takes, to write only over this very state. */
  readonly revision: number
}

/** Which documents of an index, and in which order. */
export interface Query {
  /** The name of one of the collection's indexes. @throws `query_invalid` for another. */
  readonly index: string
  /** Values of the index's leading fields, all of which must be equal. */
  readonly equals?: readonly IndexValue[]
  /** Lower bound (inclusive) of the field after those. */
  readonly from?: IndexValue
  /** Upper bound (exclusive) of the field after those. */
  readonly to?: IndexValue
  /**
   * Default `ascending`: by key, then by id. Nulls first, then booleans, numbers, strings by
   * Unicode code point.
   */
  readonly order?: 'ascending' | 'descending'
  /**
   * 1 to 200, default 50. A page is shorter if it would exceed 4 MiB, and never empty while
   * something is left.
   */
  readonly limit?: number
  /**
   * `nextCursor` of the page before. Stays valid while data changes: nothing is given twice,
   * nothing that stays is left out.
   */
  readonly cursor?: string
}

/** What to look for in a collection's text index. */
export interface TextSearch {
  /** Only documents with this value in the index's `scope` are found. */
  readonly scope: string
  /**
   * A person's input; any text is valid, and only quotation marks around a phrase are operators. A
   * document must have every word, and the last one may be only a word's beginning. Case, accents
   * and widths of letters make no difference; writing without spaces (Chinese, Japanese, Korean,
   * Thai and their like) is found from any character on. The first 32 words of the first 1,000
   * characters count. Without any word nothing is found.
   */
  readonly text: string
  /**
   * 1 to 200, default 50. A page is shorter if it would exceed 4 MiB, and never empty while
   * something is left.
   */
  readonly limit?: number
  /** `nextCursor` of the page before, of the same search. Stays valid while data changes. */
  readonly cursor?: string
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

/** One page of documents. */
export interface Page<Document extends StoredObject> {
  /** In the order of the query, deeply frozen. */
  readonly items: readonly Document[]
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/**
 * Reads and single writes of one collection. Documents that are handed out are deeply frozen. A
 * write is durable when its promise resolves.
 */
export interface Collection<Document extends StoredObject> {
  /** The definition's name. */
  readonly name: string
  /**
   * The document with this id, or `undefined`. Sees every write that was acknowledged before the
   * call.
   */
  get(id: string): Promise<Document | undefined>
  /** As `get`, with the revision. */
  getEntry(id: string): Promise<Entry<Document> | undefined>
  /** The document with this key in a unique index. */
  find(index: string, key: readonly IndexValue[]): Promise<Document | undefined>
  /**
   * One page of an index, of one moment. @throws `query_invalid` when the query does not fit the
   * index, `cursor_invalid` for a foreign cursor.
   */
  query(query: Query): Promise<Page<Document>>
  /**
   * Documents that have the words, the newest first: one page, of one moment, which has every write
   * that was acknowledged before the call. Present exactly if the definition has `search`;
   * {@link searchable} gives it to the compiler. No error names the words.
   * @throws `query_invalid` for a limit out of range, `cursor_invalid` for the cursor of another
   * search, `search_busy`, the signal's reason.
   */
  search?(search: TextSearch): Promise<Page<Document>>
  /**
   * Writes a new document. @throws `document_exists` when the id is taken, `unique_violation` when
   * a unique key is.
   */
  insert(document: Document): Promise<Entry<Document>>
  /**
   * Writes whether or not it exists. With `revision`, only over that revision: @throws `conflict`
   * otherwise.
   */
  put(document: Document, options?: { readonly revision?: number }): Promise<Entry<Document>>
  /** Resolves to false if the document does not exist. */
  delete(id: string): Promise<boolean>
}

/** A collection whose definition has `search`. */
export interface SearchableCollection<Document extends StoredObject> extends Collection<Document> {
  /** As {@link Collection.search}. */
  search(search: TextSearch): Promise<Page<Document>>
}

/**
 * The collection, known to be searchable. @throws an `Error` that names it when its definition has
 * no `search`.
 */
export function searchable<Document extends StoredObject>(collection: Collection<Document>): SearchableCollection<Document> {
  if (isSearchable(collection)) return collection
  throw new Error(`The collection ${collection.name} cannot be searched: its definition has no “search”.`)
}

const isSearchable = <Document extends StoredObject>(collection: Collection<Document>): collection is SearchableCollection<Document> =>
  collection.search !== undefined

/**
 * A transaction's view: reads see the state that was read at the first time plus the transaction's
 * own writes; writes are buffered and committed together. Everything that was read, and the absence
 * of what was looked for, still holds at the moment of the commit.
 */
export interface Transaction {
  /** The document with this id as this transaction sees it, or `undefined`. */
  get<Document extends StoredObject>(collection: CollectionDefinition<Document>, id: string): Promise<Document | undefined>
  /** The document with this key in a unique index, as this transaction sees it, or `undefined`. */
  find<Document extends StoredObject>(
    collection: CollectionDefinition<Document>,
    index: string,
    key: readonly IndexValue[],
  ): Promise<Document | undefined>
  /**
   * Writes a new document at the commit. @throws `document_exists`, at once when the id is known to
   * be taken, else from the transaction.
   */
  insert<Document extends StoredObject>(collection: CollectionDefinition<Document>, document: Document): void
  /**
   * Writes at the commit, whether or not the document exists. The last write of a document counts.
   */
  put<Document extends StoredObject>(collection: CollectionDefinition<Document>, document: Document): void
  /** Deletes the document at the commit, if it exists. */
  delete(collection: CollectionDefinition, id: string): void
}

/**
 * The database as a plugin sees it: the collections that it declared, and transactions over them.
 *
 * @example
 * interface Note { readonly id: string; readonly text: string }
 * const notes = defineCollection<Note>()({ name: 'notes.notes', version: 1, indexes: {} })
 * const database = context.use(databaseService)
 * await database.transaction(async (transaction) => {
 *   const note = await transaction.get(notes, 'first')
 *   transaction.put(notes, { id: 'first', text: `${note?.text ?? ''}!` })
 * })
 */
export interface Database {
  /**
   * Whether other processes may use the same store at the same time. If not, leases of an earlier
   * process are free.
   */
  readonly shared: boolean
  /**
   * Reads and single writes of one of the plugin's collections. @throws `collection_unknown` for
   * one that it did not list.
   */
  collection<Document extends StoredObject>(definition: CollectionDefinition<Document>): Collection<Document>
  /**
   * Runs `work` and commits what it wrote, atomically and durably. When something that it read
   * changed in the meantime, `work` runs again with jitter, at most 16 times and 10 seconds, then
   * `conflict` is thrown. So `work` has no outside effects and does not wait for anything but the
   * database. A throw in `work` writes nothing.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>, options?: { readonly signal?: AbortSignal }): Promise<Result>
}

/** The database. Provided by the kernel; each plugin sees its own collections. */
export const databaseService = defineServiceReference<Database>()('kernel.database')

/** Where documents are: an index, and the values of its leading fields. */
export interface DocumentsPlace {
  /** The name of an index of the collection. */
  readonly index: string
  /** Values of its first fields. */
  readonly equals: readonly IndexValue[]
  /** Ends the reading before the next page. */
  readonly signal?: AbortSignal
  /** Documents that are read at once, 100 by default; fewer where each is large. */
  readonly pageSize?: number
}

/**
 * Every document at a place, in the order of the index, read page by page. What is deleted
 * meanwhile may still be given. @throws the signal's reason, before a page.
 */
export async function* documentsOf<Document extends StoredObject>(
  database: Pick<Database, 'collection'>,
  definition: CollectionDefinition<Document>,
  { signal, pageSize = 100, ...place }: DocumentsPlace,
): AsyncGenerator<Document, void, undefined> {
  let cursor: string | undefined
  do {
    signal?.throwIfAborted()
    const page = await database.collection(definition).query({ ...place, limit: pageSize, ...(cursor !== undefined && { cursor }) })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
