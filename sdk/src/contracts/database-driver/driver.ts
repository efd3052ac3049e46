import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import type { Logger } from '../../core/logger.js'
import type { DocumentRecord } from './document-record.js'
import type { SearchLayout, SearchPage, SearchQuery, SearchText } from './search.js'

/**
 * A store of JSON documents, as the kernel drives it. The kernel validates documents, encodes index
 * keys, caches, retries and migrates; a driver keeps bytes, orders keys and commits. Keys are
 * compared as unsigned bytes, so every driver has the same order.
 *
 * This contract is host-only: it carries `Uint8Array`s and runs in the kernel's process.
 */
export interface DatabaseDriver extends Contribution {
  /** The generation of this contract that the driver is written for. */
  readonly specVersion: 1
  /** The value of `database.driver` that picks it. */
  readonly id: string
  /** What it can do, constant for the life of the process. */
  readonly supports: DatabaseDriverSupport
  /**
   * Opens the store, creating it if it does not exist. For an embedded driver the kernel holds the
   * folder's lock before it calls.
   * @throws `database_corrupt`, `database_forbidden`, `database_newer` or `database_unreachable`,
   * each with a reason that a person can act on.
   */
  open(options: DatabaseOpenOptions): Promise<DatabaseConnection>
}

/** What a driver can do. */
export interface DatabaseDriverSupport {
  /** It keeps its data in one folder that one process owns. */
  readonly embedded: boolean
  /** It has {@link DatabaseConnection.backup}. */
  readonly hotBackup: boolean
  /** It keeps text indexes and has {@link DatabaseConnection.search}, as every driver must. */
  readonly textSearch: true
  /**
   * The number of documents in a collection up to which it is meant to be used; absent: no bound.
   */
  readonly maximumDocuments?: number
}

/** What a driver opens its store with. */
export interface DatabaseOpenOptions {
  /** The folder of an embedded driver: exists, absolute, owned by this process. */
  readonly path: string
  /** The address of a server. */
  readonly url?: string
  /** The driver's own settings, from `plugins.settings.<plugin>`. */
  readonly settings: JsonObject
  /** For messages to operators about opening and running the store, without documents and keys. */
  readonly log: Logger
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal
}

/**
 * The layout of a collection. Index positions are stable: a key list always has one entry for each
 * index, in this order.
 */
export interface CollectionLayout {
  /** Unique in the store: `agents.chats`. */
  readonly name: string
  /** The version of the documents' shape, kept for the kernel. */
  readonly version: number
  /** In the order in which keys are given. May be empty. */
  readonly indexes: readonly IndexLayout[]
  /** The text index; absent: the collection has none. */
  readonly search?: SearchLayout
}

/** One index of a collection, as it is laid out. */
export interface IndexLayout {
  /** Unique in its collection. */
  readonly name: string
  /** Kept for the kernel, which encodes the keys. */
  readonly fields: readonly string[]
  /** Whether the driver refuses a second document with the same key. Null keys never collide. */
  readonly unique: boolean
}

/** A key of one index; null leaves the document out of that index. */
export type IndexKey = Uint8Array | null

/** Conditions that must hold when a commit begins. */
export type CommitCheck =
  /** The document has this revision; 0: it does not exist. */
  | { readonly kind: 'revision'; readonly collection: string; readonly id: string; readonly revision: number }
  /** No document has this key in this index. */
  | { readonly kind: 'key-absent'; readonly collection: string; readonly index: string; readonly key: Uint8Array }

/** One write. Two writes of one commit never name the same document. */
export type CommitWrite =
  | {
      readonly kind: 'put'
      readonly collection: string
      readonly id: string
      readonly body: string
      /** One key for each index of the layout, in its order. */
      readonly keys: readonly IndexKey[]
      /**
       * For the text index, if the layout has one. Null or absent: no search finds the document.
       */
      readonly search?: SearchText | null
    }
  | { readonly kind: 'delete'; readonly collection: string; readonly id: string }

/** One atomic piece of work: all checks hold and all writes are done, or nothing is. */
export interface CommitBatch {
  /** All of them are checked before the first write. May be empty. */
  readonly checks: readonly CommitCheck[]
  /** At most one for each document. May be empty: then the checks alone decide the result. */
  readonly writes: readonly CommitWrite[]
}

/**
 * The result of a commit. A conflict and a violation are results, not errors: nothing was written.
 */
export type CommitResult =
  /** Durable. `revision` is larger than that of every commit before it, over restarts too. */
  | { readonly outcome: 'committed'; readonly revision: number }
  /** A check did not hold. */
  | { readonly outcome: 'conflict'; readonly check: CommitCheck }
  /** A unique index of the layout already has this key, under another id. */
  | { readonly outcome: 'unique-violation'; readonly collection: string; readonly index: string; readonly id: string }

/** A range of one index. */
export interface RangeQuery {
  /** The name of a collection that exists. */
  readonly collection: string
  /** The name of one of its indexes. Documents whose key there is null are not in it. */
  readonly index: string
  /** Inclusive lower bound of keys, compared as bytes. Absent: from the start. */
  readonly lower?: Uint8Array
  /** Exclusive upper bound of keys. Absent: to the end. */
  readonly upper?: Uint8Array
  /** `descending` is the exact reverse, ids of equal keys included. */
  readonly order: 'ascending' | 'descending'
  /** Continue after this position, exclusive; it need not exist any longer. */
  readonly after?: IndexPosition
  /** The most records of the page, at least 1. */
  readonly limit: number
  /** Stop before the sum of the bodies' bytes exceeds this, but return at least one record. */
  readonly maximumBytes: number
}

/** A position in an index: order is by key, then by id as UTF-8 bytes. */
export interface IndexPosition {
  /** The document's key in the index. */
  readonly key: Uint8Array
  /** The document's id, which decides among equal keys. */
  readonly id: string
}

/** One page of an index, of one moment. */
export interface RangePage {
  /** The records in the order asked for, each with its key in the index. */
  readonly records: readonly (DocumentRecord & { readonly key: Uint8Array })[]
  /** Whether more records follow. */
  readonly more: boolean
}

/** Whether writes are possible now. `storage_full` ends by itself once there is room. */
export type DatabaseHealth =
  | { readonly writable: true }
  | { readonly writable: false; readonly code: 'storage_full' | 'unreachable'; readonly reason: string }

/**
 * An open store. All methods may be called at any time and many at once; after `close` they reject
 * with `database_closed`. Records have the members of this contract alone, and stay as they were
 * read while the store changes.
 */
export interface DatabaseConnection {
  /** Layouts that are stored, by name. */
  layouts(): Promise<readonly CollectionLayout[]>
  /**
   * Creates a collection, or brings the stored layout to this one: new indexes are filled by
   * `keysOf` from the documents that are there, a text index that is new or laid out in another way
   * by `searchOf`, dropped ones go. Atomic and durable. Sets the version only through
   * {@link CollectionLayout.version} of this call.
   * @param searchOf - A document's entry in the text index. Required if the layout has one.
   * @throws `unique_violation` when existing documents break a new unique index; nothing has
   * changed then.
   */
  ensureCollection(
    layout: CollectionLayout,
    keysOf: (record: DocumentRecord) => readonly IndexKey[],
    searchOf?: (record: DocumentRecord) => SearchText | null,
  ): Promise<void>
  /**
   * Deletes a collection with its documents. Waits, as `ensureCollection` does, for the batches that
   * were called before it, and goes before those called after it.
   */
  dropCollection(name: string): Promise<void>
  /**
   * Documents by id, in the order asked for. Sees every commit that was acknowledged before the
   * call, and no half of any.
   */
  read(collection: string, ids: readonly string[]): Promise<readonly (DocumentRecord | undefined)[]>
  /** One page of an index. The page is of one moment. */
  range(query: RangeQuery): Promise<RangePage>
  /** The document with this key in an index; with several, the first by id. */
  find(collection: string, index: string, key: Uint8Array): Promise<DocumentRecord | undefined>
  /**
   * One page of a text index, newest first: of one moment that has every commit that was
   * acknowledged before the call. Its cost does not grow with the documents of other scopes.
   * Neither words nor bodies get into an error or a log.
   * @throws an `Error` that names the collection when it has no text index; `search_busy` when too
   * many searches wait; the signal's reason.
   */
  search(query: SearchQuery): Promise<SearchPage>
  /** All documents by id, for migrations and exports: a page of at most `limit` after `afterId`. */
  scan(collection: string, options: { readonly afterId?: string; readonly limit: number }): Promise<readonly DocumentRecord[]>
  /**
   * How many documents the collection has; every commit that was acknowledged before the call
   * counts.
   */
  count(collection: string): Promise<number>
  /**
   * Commits a batch. Resolves only when it is durable: synced to stable storage. Batches are
   * committed in the order of the calls, many in one sync.
   * @throws `storage_full` when no room is left (nothing was written, reads go on),
   * `database_closed` after `close`.
   */
  commit(batch: CommitBatch): Promise<CommitResult>
  /** The revision of the newest commit, 0 in an empty store. */
  revision(): Promise<number>
  /**
   * Whether writes are possible, by what the driver last saw. Answers at once, without touching the
   * store, and never throws.
   */
  health(): DatabaseHealth
  /**
   * With `hotBackup`: copies a snapshot into an empty folder while work continues. The copy
   * contains no deleted data.
   */
  backup?(
    folder: string,
    options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
  ): Promise<void>
  /**
   * Makes what was deleted or replaced unreadable in the store's own files: resolves when no byte
   * of them holds anything of a document, key or text that a commit acknowledged before the call
   * has deleted or replaced, or of a collection that was dropped; also none in a log, an index or a
   * temporary file. Other work continues meanwhile, with waits of tens of milliseconds at most.
   * Concurrent calls may share one run. May be called again after a crash or an abort at any point.
   * A store without its own files resolves when nothing is left to do.
   * @throws `purge_delayed` when long reads of older moments kept it from ending; the signal's
   * reason.
   */
  purge(options: { readonly signal: AbortSignal }): Promise<void>
  /** Finishes accepted work and closes. May be called again. */
  close(): Promise<void>
}
