import { uniqueViolationError } from '../../contracts/database-driver/index.js'
import type { CollectionDefinition, Entry, IndexValue, StoredObject } from '../../services/database.js'
import { compareKeys, keyOf } from './index-order.js'

/** A write of one document; `undefined` deletes it. */
export interface Write {
  readonly collection: CollectionDefinition
  readonly id: string
  readonly document: StoredObject | undefined
}

/** The documents of a {@link createMemoryDatabase}. */
export interface MemoryStore {
  /** The documents of a collection, for tests, also while the store fails. */
  stored(collection: string): readonly StoredObject[]
  /** After so many more of them, reads and writes fail with this error; with none they work again. */
  failWith(error: Error | undefined, options?: { readonly afterCalls?: number }): void
  /** The documents of a collection with their revisions, in no order. */
  entries(collection: string): readonly Entry<StoredObject>[]
  /** One of them. */
  entry(collection: string, id: string): Entry<StoredObject> | undefined
  /** Writes all or nothing, and returns the revision. @throws `unique_violation`. */
  commit(writes: readonly Write[]): number
}

/** Makes an empty store. */
export function createMemoryStore(): MemoryStore {
  const collections = new Map<string, Map<string, Entry<StoredObject>>>()
  let revision = 0
  let failure: Error | undefined
  let callsUntilFailure = 0
  const demandWorking = (): void => {
    if (!failure) return
    if (callsUntilFailure === 0) throw failure
    callsUntilFailure -= 1
  }
  const read = (name: string): Map<string, Entry<StoredObject>> => {
    demandWorking()
    return of(name)
  }
  const of = (name: string): Map<string, Entry<StoredObject>> => {
    const found = collections.get(name) ?? new Map<string, Entry<StoredObject>>()
    collections.set(name, found)
    return found
  }
  return {
    stored: (collection) => [...of(collection).values()].map(({ document }) => document),
    failWith(error, { afterCalls = 0 } = {}) {
      failure = error
      callsUntilFailure = afterCalls
    },
    entries: (collection) => [...read(collection).values()],
    entry: (collection, id) => read(collection).get(id),
    commit(writes) {
      demandWorking()
      const next = new Map([...new Set(writes.map(({ collection }) => collection.name))].map((name) => [name, new Map(of(name))]))
      const written = revision + 1
      for (const { collection, id, document } of writes) {
        if (document === undefined) next.get(collection.name)?.delete(id)
        else next.get(collection.name)?.set(id, { document: frozenCopy(document), revision: written })
      }
      for (const { collection } of writes) demandUnique(collection, [...(next.get(collection.name)?.values() ?? [])])
      for (const [name, entries] of next) collections.set(name, entries)
      revision = written
      return written
    },
  }
}

function demandUnique(collection: CollectionDefinition, entries: readonly Entry<StoredObject>[]): void {
  for (const [name, index] of Object.entries(collection.indexes)) {
    if (index.unique !== true) continue
    const keys = entries.map(({ document }) => keyOf(document, index)).filter((key) => key.some((value) => value !== null))
    const sorted = keys.toSorted(compareKeys)
    if (sorted.some((key, place) => isSame(key, sorted[place + 1]))) {
      throw uniqueViolationError.create({ collection: collection.name, index: name })
    }
  }
}

const isSame = (key: readonly IndexValue[], other: readonly IndexValue[] | undefined): boolean =>
  other !== undefined && compareKeys(key, other) === 0

/** A copy as read from a file: plain JSON, deeply frozen. */
function frozenCopy(document: StoredObject): StoredObject {
  const copy = JSON.parse(JSON.stringify(document), (_key, value: unknown) => Object.freeze(value)) as StoredObject
  return copy
}
