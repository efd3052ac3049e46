import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileFormat, fileNameOf, storeFileName, writeCollection, writeStore } from './collection-file.js'
import type { StoreState } from './collection-state.js'
import type { FileSystem } from './file-system.js'
import { toWriteError } from './lowdb-errors.js'
import { createSyncedFolder } from './synced-folder.js'

/** Dependencies of a backup. */
export interface BackupOptions {
  /** The moment to keep. States never change, so work goes on meanwhile. */
  readonly state: StoreState
  readonly target: string
  readonly fileSystem: FileSystem
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

/**
 * Writes a state into an empty folder, durably. The store's own file comes last: without it a
 * folder is not a store.
 * @throws the signal's reason when it is aborted; the folder is then as it was.
 */
export async function backUp({ state, target, fileSystem, signal, progress }: BackupOptions): Promise<void> {
  signal.throwIfAborted()
  const folder = createSyncedFolder(fileSystem, target)
  const total = state.collections.size + 1
  const names: string[] = []
  const write = async (name: string, text: string): Promise<void> => {
    names.push(name)
    await folder.change([{ name, text }])
    progress(names.length, total)
    await setImmediate()
    signal.throwIfAborted()
  }
  try {
    for (const [name, collection] of state.collections) await write(fileNameOf(name), writeCollection(collection))
    await write(storeFileName, writeStore({ format: fileFormat, revision: state.revision }))
  } catch (error) {
    for (const name of names) await fileSystem.unlink(join(target, name)).catch(() => undefined)
    signal.throwIfAborted()
    throw toWriteError(error, target)
  }
}
