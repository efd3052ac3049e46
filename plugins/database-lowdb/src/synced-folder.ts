import { join } from 'node:path'
import type { FileSystem } from './file-system.js'

/** What a file is to hold, or null for a file that is to go. */
export interface FileChange {
  readonly name: string
  readonly text: string | null
}

/**
 * The changes could not be made, and may show or not after a crash. Nothing more should be written
 * before the folder is opened again.
 */
export class UncertainChange extends Error {}

/**
 * The content of the pending file: the second half of a change of several files, once it is certain
 * to happen.
 */
interface PendingChange {
  readonly renames: readonly (readonly [from: string, to: string])[]
  readonly removals: readonly string[]
}

const pendingName = '_pending.json'
const newSuffix = '.new'

/**
 * A folder whose files change together and durably, at every moment at which the power may fail.
 *
 * One file: written under another name, synced, renamed, the folder synced. Several: all are
 * written under other names and synced, names and all; then a pending file that lists the renames
 * is put in place in the way of a single file, and from then on the change is certain; then the
 * renames are done, the folder is synced, and the pending file goes. What was cut off is finished
 * by {@link SyncedFolder.recover}.
 */
export interface SyncedFolder {
  /**
   * Finishes a change that was certain and removes what is left of one that was not. Called once,
   * before anything else.
   */
  recover(): Promise<void>
  /** Names of the files that are there. */
  names(): Promise<readonly string[]>
  read(name: string): Promise<string>
  /**
   * All changes or none, durably. No change at all removes what a failed write may have left.
   * @throws {@link UncertainChange} when it failed after the point of no return; else nothing has
   * changed.
   */
  change(changes: readonly FileChange[]): Promise<void>
  /** Tries whether there is room for a small file. */
  probe(): Promise<void>
}

/** Makes the synced view of a folder. */
export function createSyncedFolder(fileSystem: FileSystem, folder: string): SyncedFolder {
  const pathOf = (name: string): string => join(folder, name)

  const writeSynced = async (name: string, text: string): Promise<void> => {
    const file = await fileSystem.openForWriting(pathOf(name))
    try {
      await file.write(text)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  const removeNew = async (): Promise<void> => {
    for (const name of await fileSystem.readFolder(folder)) if (name.endsWith(newSuffix)) await fileSystem.unlink(pathOf(name))
  }

  /** Whether a write failed, and its files could not be removed. */
  let leftOver = false

  /** Up to here nothing shows; the rename decides. */
  const prepared = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write()
    } catch (error) {
      leftOver = true
      await removeLeftOver().catch(() => undefined)
      throw error
    }
  }

  const removeLeftOver = async (): Promise<void> => {
    if (!leftOver) return
    await removeNew()
    await fileSystem.syncFolder(folder)
    leftOver = false
  }

  const decided = async (finish: () => Promise<void>): Promise<void> => {
    try {
      await finish()
    } catch (error) {
      throw new UncertainChange(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  const finish = async ({ renames, removals }: PendingChange): Promise<void> => {
    const there = new Set(await fileSystem.readFolder(folder))
    for (const [from, to] of renames) if (there.has(from)) await fileSystem.rename(pathOf(from), pathOf(to))
    for (const name of removals) if (there.has(name)) await fileSystem.unlink(pathOf(name))
    await fileSystem.syncFolder(folder)
    await fileSystem.unlink(pathOf(pendingName))
    await fileSystem.syncFolder(folder)
  }

  const replaceOne = async (name: string, text: string): Promise<void> => {
    const temporary = `${name}${newSuffix}`
    await prepared(async () => {
      await writeSynced(temporary, text)
      await fileSystem.rename(pathOf(temporary), pathOf(name))
    })
    await decided(() => fileSystem.syncFolder(folder))
  }

  const changeSeveral = async (changes: readonly FileChange[]): Promise<void> => {
    const renames = changes.flatMap(({ name, text }) => (text === null ? [] : [[`${name}${newSuffix}`, name] as const]))
    const pending: PendingChange = { renames, removals: changes.flatMap(({ name, text }) => (text === null ? [name] : [])) }
    await prepared(async () => {
      for (const { name, text } of changes) if (text !== null) await writeSynced(`${name}${newSuffix}`, text)
      // The names too, or the pending file could survive a power cut and a file that it lists not.
      await fileSystem.syncFolder(folder)
    })
    await replaceOne(pendingName, `${JSON.stringify(pending, null, 2)}\n`)
    await decided(() => finish(pending))
  }

  return {
    async recover() {
      const names = await fileSystem.readFolder(folder)
      if (names.includes(pendingName)) {
        // The pending file was synced before it got its name, so it is whole.
        await finish(JSON.parse(await fileSystem.readFile(pathOf(pendingName))) as PendingChange)
      }
      await removeNew()
    },
    async names() {
      const names = await fileSystem.readFolder(folder)
      return names.filter((name) => name.endsWith('.json') && name !== pendingName)
    },
    read: (name) => fileSystem.readFile(pathOf(name)),
    async change(changes) {
      const [first] = changes
      if (!first) return await removeLeftOver()
      if (changes.length === 1 && first.text !== null) await replaceOne(first.name, first.text)
      else await changeSeveral(changes)
    },
    async probe() {
      const name = `_probe${newSuffix}`
      try {
        await writeSynced(name, ' '.repeat(64 * 1024))
      } finally {
        await fileSystem.unlink(pathOf(name)).catch(() => undefined)
      }
    },
  }
}
