import { dirname } from 'node:path'
import type { DurableFileSystem } from '../durable-file-system.js'

/**
 * A file by identity: the written content, and the synced content that survives a power failure.
 */
interface DiskFile {
  written: string
  synced: string | undefined
}

/** Which sync a broken file system omits. */
export type MissingSync = 'none' | 'file' | 'folder'

/**
 * A disk that is only certain to keep synced data. After a power failure, other data may be kept,
 * lost or torn. The power fails at a chosen operation: that operation and all later ones reject.
 */
export interface PowerFailureDisk {
  readonly fileSystem: DurableFileSystem
  /** How many operations have begun. */
  operations(): number
  /**
   * Every state that the disk may be in after a failure now, each as a file system to read from.
   */
  survivors(): readonly DurableFileSystem[]
}

/** Makes an empty disk whose power fails at operation `failAt`, counted from 1. */
export function createPowerFailureDisk(options: { readonly failAt: number; readonly missing: MissingSync }): PowerFailureDisk {
  const { failAt, missing } = options
  const names = new Map<string, DiskFile>()
  const syncedNames = new Map<string, DiskFile>()
  let operations = 0

  const operate = async (work: () => void, halfWay: () => void = () => undefined): Promise<void> => {
    operations++
    if (operations > failAt) throw new Error('The power is out.')
    if (operations === failAt) {
      halfWay()
      throw new Error('The power is out.')
    }
    work()
  }
  const fileAt = (path: string): DiskFile => {
    const file = names.get(path)
    if (!file) throw new Error(`There is no file ${path}.`)
    return file
  }
  const write = (path: string, text: string): void => {
    const file = names.get(path) ?? { written: '', synced: undefined }
    file.written = text
    names.set(path, file)
  }

  const fileSystem: DurableFileSystem = {
    readFile: async (path) => names.get(path)?.written,
    createFolder: async () => undefined,
    writeFile: (path, text) =>
      operate(
        () => write(path, text),
        () => write(path, text.slice(0, text.length / 2)),
      ),
    syncFile: (path) =>
      operate(() => {
        const file = fileAt(path)
        if (missing !== 'file') file.synced = file.written
      }),
    rename: (from, to) =>
      operate(() => {
        names.set(to, fileAt(from))
        names.delete(from)
      }),
    removeFile: (path) =>
      operate(() => {
        names.delete(path)
      }),
    syncFolder: (folder) =>
      operate(() => {
        if (missing === 'folder') return
        for (const path of syncedNames.keys()) if (dirname(path) === folder && !names.has(path)) syncedNames.delete(path)
        for (const [path, file] of names) if (dirname(path) === folder) syncedNames.set(path, file)
      }),
  }

  return {
    fileSystem,
    operations: () => operations,
    survivors: () =>
      [names, syncedNames].flatMap((kept) =>
        (['kept', 'lost', 'torn'] as const).map((unsynced) => {
          const texts = new Map([...kept].map(([path, file]) => [path, contentAfterFailure(file, unsynced)]))
          return { ...fileSystem, readFile: async (path: string) => texts.get(path) }
        }),
      ),
  }
}

function contentAfterFailure(file: DiskFile, unsynced: 'kept' | 'lost' | 'torn'): string {
  if (unsynced === 'kept' || file.synced === file.written) return file.written
  return unsynced === 'lost' ? (file.synced ?? '') : file.written.slice(0, file.written.length / 2)
}
