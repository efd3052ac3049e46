import type { CommitBatch, CommitCheck, CommitResult, CommitWrite } from '../../contracts/database-driver/index.js'
import { compareBytes, indexPositionOf, type MemoryCollection, type MemoryDocument } from './memory-collection.js'

/** The collections by name. */
export type MemoryState = ReadonlyMap<string, MemoryCollection>

/**
 * The outcome of a batch: its result, and the next state, which is unchanged unless it was
 * committed.
 */
export interface AppliedBatch {
  readonly result: CommitResult
  readonly state: MemoryState
}

/** Checks a batch and builds the next state. Never changes its input. */
export function applyBatch(state: MemoryState, batch: CommitBatch, revision: number): AppliedBatch {
  const failed = batch.checks.find((check) => !holds(state, check))
  if (failed) return { result: { outcome: 'conflict', check: failed }, state }
  const after = new Map(state)
  for (const [name, writes] of writesByCollection(batch.writes)) {
    const before = collectionOf(state, name)
    const documents = new Map(before.documents)
    for (const write of writes) {
      if (write.kind === 'delete') documents.delete(write.id)
      else documents.set(write.id, documentOf(write, before, revision))
    }
    after.set(name, { layout: before.layout, documents })
  }
  const violation = violationOf(after, batch.writes)
  if (violation) return { result: violation, state }
  return { result: { outcome: 'committed', revision }, state: after }
}

/** The collection, or an error that names it. */
export function collectionOf(state: MemoryState, name: string): MemoryCollection {
  const collection = state.get(name)
  if (!collection) throw new Error(`Collection “${name}” does not exist. Call ensureCollection first.`)
  return collection
}

/** A document that breaks a unique index, or undefined. */
export function firstDuplicate(collection: MemoryCollection): { readonly index: string } | undefined {
  for (const [position, index] of collection.layout.indexes.entries()) {
    if (!index.unique) continue
    const seen = new Set<string>()
    for (const document of collection.documents.values()) {
      const key = document.keys[position]
      if (!key) continue
      if (seen.has(keyText(key))) return { index: index.name }
      seen.add(keyText(key))
    }
  }
  return undefined
}

function holds(state: MemoryState, check: CommitCheck): boolean {
  const collection = collectionOf(state, check.collection)
  if (check.kind === 'revision') return (collection.documents.get(check.id)?.revision ?? 0) === check.revision
  const position = indexPositionOf(collection.layout, check.index)
  for (const document of collection.documents.values()) {
    const key = document.keys[position]
    if (key && compareBytes(key, check.key) === 0) return false
  }
  return true
}

function violationOf(after: MemoryState, writes: readonly CommitWrite[]): CommitResult | undefined {
  const owners = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const write of writes) {
    if (write.kind === 'delete') continue
    const collection = collectionOf(after, write.collection)
    for (const [position, index] of collection.layout.indexes.entries()) {
      const key = write.keys[position]
      if (!index.unique || !key) continue
      const place = `${write.collection}/${index.name}`
      const known = owners.get(place) ?? ownersByKey(collection, position)
      owners.set(place, known)
      if (known.get(keyText(key))?.some((id) => id !== write.id)) {
        return { outcome: 'unique-violation', collection: write.collection, index: index.name, id: write.id }
      }
    }
  }
  return undefined
}

const keyText = (key: Uint8Array): string => Buffer.from(key).toString('latin1')

function ownersByKey(collection: MemoryCollection, position: number): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>()
  for (const document of collection.documents.values()) {
    const key = document.keys[position]
    if (key) owners.set(keyText(key), [...(owners.get(keyText(key)) ?? []), document.id])
  }
  return owners
}

function documentOf(write: Extract<CommitWrite, { readonly kind: 'put' }>, collection: MemoryCollection, revision: number): MemoryDocument {
  if (write.keys.length !== collection.layout.indexes.length) {
    throw new Error(
      `Collection ${write.collection} has ${collection.layout.indexes.length} index(es), the write has ${write.keys.length} key(s).`,
    )
  }
  const search = (collection.layout.search && write.search) ?? null
  return { id: write.id, revision, body: write.body, keys: write.keys.map((key) => key && Uint8Array.from(key)), search }
}

function writesByCollection(writes: readonly CommitWrite[]): Map<string, CommitWrite[]> {
  const groups = new Map<string, CommitWrite[]>()
  for (const write of writes) {
    const group = groups.get(write.collection)
    if (group) group.push(write)
    else groups.set(write.collection, [write])
  }
  return groups
}
