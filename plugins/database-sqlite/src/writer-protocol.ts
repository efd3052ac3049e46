import type { CollectionLayout, SearchText } from '@agent-service/sdk/contracts/database-driver'
import type { PurgePlace, PurgeProgress } from './purge-steps.js'
import type { StoredCollection } from './schema.js'
import type { WireError } from './wire-error.js'

/**
 * What passes between the connection and its writer thread. Messages are few (one a group of
 * commits) and flat (strings, numbers and short lists), because each object and each byte array
 * costs more to copy than the row costs to write.
 */

/** A key as a string with one character a byte; null: the document is not in the index. */
export type WireKey = string | null

/** `['revision', collection, id, revision]` or `['key', collection, column, key]`. */
export type WireCheck =
  | readonly [kind: 'revision', collection: number, id: string, revision: number]
  | readonly [kind: 'key', collection: number, column: number, key: string]

/**
 * A put has a body, what the text index gets, and a key for each index; a delete has nothing of it.
 */
export type WireWrite = readonly [collection: number, id: string, body: string | null, search: SearchText | null, ...keys: WireKey[]]

/** What a document gets in new indexes. */
export type WireFill = readonly [id: string, search: SearchText | null, ...keys: WireKey[]]

/** One commit. */
export type WireBatch = readonly [checks: readonly WireCheck[], writes: readonly WireWrite[]]

/** How one commit of a group ended. */
export type WireResult =
  | { readonly revision: number }
  | { readonly check: number }
  | { readonly write: number; readonly index: string }
  | { readonly error: WireError }

/** The options of the thread at its start. */
export interface WriterData {
  readonly folder: string
  readonly synchronous: 'FULL' | 'NORMAL' | 'OFF'
  readonly secureDelete: 'ON' | 'FAST' | 'OFF'
}

/** A request to the thread. It answers each one, in order. */
export type WriterRequest =
  | { readonly kind: 'commit'; readonly batches: readonly WireBatch[] }
  /** Creates collections that are not there, all in one transaction. */
  | { readonly kind: 'create'; readonly layouts: readonly CollectionLayout[] }
  /**
   * Begins to bring a collection to a layout, in a transaction that stays open. Answered with the
   * indexes to fill.
   */
  | { readonly kind: 'begin-layout'; readonly layout: CollectionLayout }
  /**
   * For each document one key for each index to fill, and its text if the text index is to be
   * filled.
   */
  | { readonly kind: 'fill'; readonly rows: readonly WireFill[] }
  | { readonly kind: 'finish-layout' }
  | { readonly kind: 'abandon-layout' }
  | { readonly kind: 'drop'; readonly name: string }
  /** One step of making unreadable what was deleted. */
  | { readonly kind: 'purge'; readonly place: PurgePlace }
  /** Tries whether there is room again. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'close' }

/** The answer to a request. */
export type WriterReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'created'; readonly collections: readonly StoredCollection[] }
  | { readonly kind: 'results'; readonly results: readonly WireResult[] }
  | { readonly kind: 'fill'; readonly positions: readonly number[]; readonly text: boolean }
  | { readonly kind: 'unique-violation'; readonly index: string }
  | { readonly kind: 'purged'; readonly progress: PurgeProgress }
  | { readonly kind: 'newer'; readonly found: number }
  | { readonly kind: 'failed'; readonly error: WireError }

/** A key on its way to the thread. */
export const toWireKey = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')

/** A key in the thread. */
export const fromWireKey = (key: WireKey): Buffer | null => (key === null ? null : Buffer.from(key, 'latin1'))
