import { databaseNewerError } from '@agent-service/sdk/contracts/database-driver'
import type { Adapter } from 'lowdb'
import {
  fileFormat,
  fileNameOf,
  formatOf,
  readCollection,
  readStore,
  storeFileName,
  writeCollection,
  writeStore,
} from './collection-file.js'
import type { CollectionState, StoreState } from './collection-state.js'
import { toOpenError } from './lowdb-errors.js'
import type { FileChange, SyncedFolder } from './synced-folder.js'

/**
 * lowdb's view of a store: the data is the state of all collections, a write puts what has changed
 * since the last one into its files, durably and as one. lowdb's own file adapter neither syncs nor
 * joins files.
 */
export function createFolderAdapter(folder: SyncedFolder, path: string): Adapter<StoreState> {
  let written: StoreState | undefined
  let storeRevision = 0

  const readFile = async <Content>(name: string, parse: (text: string) => Content): Promise<Content> => {
    try {
      const text = await folder.read(name)
      const format = formatOf(text)
      if (format !== undefined && format > fileFormat)
        throw databaseNewerError.create({ what: `The file ${path}/${name}`, found: format, known: fileFormat })
      return parse(text)
    } catch (error) {
      throw toOpenError(error, `${path}/${name}`)
    }
  }

  return {
    async read() {
      const names = await folder.names()
      if (names.length === 0) return null
      if (!names.includes(storeFileName))
        throw toOpenError(new Error('it is missing, although files of collections exist'), `${path}/${storeFileName}`)
      const store = await readFile(storeFileName, readStore)
      const collections = new Map<string, CollectionState>()
      for (const name of names) {
        if (name === storeFileName) continue
        const collection = await readFile(name, readCollection)
        collections.set(collection.layout.name, collection)
      }
      storeRevision = store.revision
      written = { revision: Math.max(store.revision, ...[...collections.values()].map(({ revision }) => revision)), collections }
      return written
    },
    async write(state) {
      const before = written?.collections
      const changes: FileChange[] = []
      for (const [name, collection] of state.collections) {
        if (before?.get(name) !== collection) changes.push({ name: fileNameOf(name), text: writeCollection(collection) })
      }
      for (const name of before?.keys() ?? []) if (!state.collections.has(name)) changes.push({ name: fileNameOf(name), text: null })
      // Each collection's file carries the newest commit that touched it; the store's own file
      // those that left no file to carry them.
      const carried = Math.max(storeRevision, ...[...state.collections.values()].map(({ revision }) => revision))
      if (!written || carried < state.revision)
        changes.push({ name: storeFileName, text: writeStore({ format: fileFormat, revision: state.revision }) })
      await folder.change(changes)
      if (!written || carried < state.revision) storeRevision = state.revision
      written = state
    },
  }
}
