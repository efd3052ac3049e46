import type { CollectionLayout, DocumentRecord, IndexKey, SearchText } from '@agent-service/sdk/contracts/database-driver'

/** A document in memory. */
export interface StoredDocument extends DocumentRecord {
  readonly keys: readonly IndexKey[]
  /** Its entry in the text index. */
  readonly search?: SearchText
}

/** One collection at one moment. Never changed: a commit makes another. */
export interface CollectionState {
  readonly layout: CollectionLayout
  /** The newest commit that touched it, also by a delete. */
  readonly revision: number
  readonly documents: ReadonlyMap<string, StoredDocument>
}

/** The whole store at one moment. */
export interface StoreState {
  /** The newest commit. */
  readonly revision: number
  readonly collections: ReadonlyMap<string, CollectionState>
}

/** An empty store. */
export const emptyStore: StoreState = { revision: 0, collections: new Map() }

/** A document as callers see it. */
export const toRecord = ({ id, revision, body }: StoredDocument): DocumentRecord => ({ id, revision, body })

/** The collection. @throws an `Error` that names it when there is none. */
export function collectionOf(state: StoreState, name: string): CollectionState {
  const collection = state.collections.get(name)
  if (!collection) throw new Error(`Collection “${name}” does not exist. Call ensureCollection first.`)
  return collection
}

/** The position of an index in a layout. */
export function positionOf(layout: CollectionLayout, index: string): number {
  const position = layout.indexes.findIndex((candidate) => candidate.name === index)
  if (position < 0) throw new Error(`Collection ${layout.name} has no index “${index}”.`)
  return position
}

/** The keys, if there is one for each index. */
export function checkedKeys(layout: CollectionLayout, keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length === layout.indexes.length) return keys.map((key) => key && Uint8Array.from(key))
  throw new Error(`Collection ${layout.name} has ${layout.indexes.length} index(es), ${keys.length} key(s) were given.`)
}

/** A key as a string, for maps. */
export const keyText = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
