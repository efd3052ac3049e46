import type { Database } from 'better-sqlite3'
import { readCollections, type StoredCollection } from './schema.js'

/** The collections as this process knows them. */
export interface Catalogue {
  /** @throws an `Error` that names the collection when there is none. */
  collection(name: string): StoredCollection
  find(name: string): StoredCollection | undefined
  has(name: string): boolean
  /** By name. */
  all(): readonly StoredCollection[]
  /** Reads them from the file again. */
  reload(): void
  /** Adds those that were created. The file need not be read for them, whose tables it would read again. */
  add(created: readonly StoredCollection[]): void
}

/** Reads the collections of a file. */
export function createCatalogue(database: Database): Catalogue {
  let collections = load(database)
  return {
    collection(name) {
      const found = collections.get(name)
      if (!found) throw new Error(`Collection “${name}” does not exist. Call ensureCollection first.`)
      return found
    },
    find: (name) => collections.get(name),
    has: (name) => collections.has(name),
    all: () => [...collections.values()].sort((one, other) => (one.layout.name < other.layout.name ? -1 : 1)),
    reload() {
      collections = load(database)
    },
    add(created) {
      for (const collection of created) collections.set(collection.layout.name, collection)
    },
  }
}

/** The position of an index in its layout, and its column. */
export function columnOfIndex(collection: StoredCollection, index: string): number {
  const column = collection.columns[collection.layout.indexes.findIndex((candidate) => candidate.name === index)]
  if (column === undefined) throw new Error(`Collection ${collection.layout.name} has no index “${index}”.`)
  return column
}

function load(database: Database): Map<string, StoredCollection> {
  return new Map(readCollections(database).map((collection) => [collection.layout.name, collection]))
}
