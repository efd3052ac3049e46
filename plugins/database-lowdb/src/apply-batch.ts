import type { CommitBatch, CommitCheck, CommitResult, CommitWrite } from '@agent-service/sdk/contracts/database-driver'
import { type CollectionState, checkedKeys, collectionOf, keyText, type StoredDocument, type StoreState } from './collection-state.js'
import { documentsWithKey } from './sorted-views.js'

/** The outcome of a batch. The state is unchanged if the batch was refused. */
export interface AppliedBatch {
  readonly result: CommitResult
  readonly state: StoreState
}

/** Checks one batch against a state and makes the next state. */
export function applyBatch(state: StoreState, batch: CommitBatch): AppliedBatch {
  const failed = batch.checks.find((check) => !holds(state, check))
  if (failed) return { result: { outcome: 'conflict', check: failed }, state }
  const violation = violationOf(state, batch.writes)
  if (violation) return { result: violation, state }

  const revision = state.revision + 1
  const collections = new Map(state.collections)
  const documents = new Map<string, Map<string, StoredDocument>>()
  for (const write of batch.writes) {
    const before = collectionOf(state, write.collection)
    let after = documents.get(write.collection)
    if (!after) {
      after = new Map(before.documents)
      documents.set(write.collection, after)
      collections.set(write.collection, { layout: before.layout, revision, documents: after })
    }
    if (write.kind === 'delete') after.delete(write.id)
    else {
      const { id, body, search } = write
      const keys = checkedKeys(before.layout, write.keys)
      after.set(id, { id, revision, body, keys, ...(before.layout.search && search && { search }) })
    }
  }
  return { result: { outcome: 'committed', revision }, state: { revision, collections } }
}

function holds(state: StoreState, check: CommitCheck): boolean {
  const collection = collectionOf(state, check.collection)
  if (check.kind === 'revision') return (collection.documents.get(check.id)?.revision ?? 0) === check.revision
  return documentsWithKey(collection, check.index, check.key).length === 0
}

/**
 * A unique index is judged by the state after the batch: an owner that the batch deletes or gives
 * another key does not count.
 */
function violationOf(state: StoreState, writes: readonly CommitWrite[]): CommitResult | undefined {
  const written = new Set(writes.map((write) => `${write.collection}\n${write.id}`))
  const given = new Set<string>()
  for (const write of writes) {
    const collection = collectionOf(state, write.collection)
    if (write.kind === 'delete') continue
    for (const [position, index] of collection.layout.indexes.entries()) {
      const key = write.keys[position]
      if (!index.unique || !key) continue
      const place = `${write.collection}\n${index.name}\n${keyText(key)}`
      const taken = documentsWithKey(collection, index.name, key).some((owner) => !written.has(`${write.collection}\n${owner.id}`))
      if (taken || given.has(place)) return { outcome: 'unique-violation', collection: write.collection, index: index.name, id: write.id }
      given.add(place)
    }
  }
  return undefined
}

/** The name of a unique index that documents of a collection break. */
export function brokenIndexOf(collection: CollectionState): string | undefined {
  for (const [position, index] of collection.layout.indexes.entries()) {
    if (!index.unique) continue
    const seen = new Set<string>()
    for (const { keys } of collection.documents.values()) {
      const key = keys[position]
      if (!key) continue
      if (seen.has(keyText(key))) return index.name
      seen.add(keyText(key))
    }
  }
  return undefined
}
