import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, open, opendir, rename, rmdir, unlink } from 'node:fs/promises'
import type { CheckedFolder } from './checked-folder.js'
import { errorCode, orAbsent } from './path-of-descriptor.js'

const prefix = 'trash-'

export const trashName = (): string => `${prefix}${randomUUID()}`

export const isTrash = (name: string): boolean => name.startsWith(prefix)

const maxAtOnce = 1_000

/**
 * Removes the trashed folders in a folder, for `withinMs` at most. Each nested folder is first
 * moved next to them: no path has several names that could be replaced during the removal, and
 * depth does not matter. Folders that cannot be removed stay for the next call.
 */
export async function emptyTrash(
  folder: CheckedFolder,
  options: { readonly withinMs: number; readonly signal?: AbortSignal },
): Promise<void> {
  const until = performance.now() + options.withinMs
  const isOver = (): boolean => performance.now() >= until || options.signal?.aborted === true
  const stuck = new Set<string>()
  for (;;) {
    const folders = await trashOf(folder, stuck)
    if (folders.length === 0) return
    for (const name of folders) {
      if (isOver()) return
      if (!(await removeFlat(folder, name, isOver))) stuck.add(name)
    }
  }
}

async function trashOf(folder: CheckedFolder, stuck: ReadonlySet<string>): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder.self)) {
    if (isTrash(name) && !stuck.has(name)) names.push(name)
    if (names.length === maxAtOnce) break
  }
  return names
}

/** Empties one folder and removes it; false if that was not possible. */
async function removeFlat(folder: CheckedFolder, name: string, isOver: () => boolean): Promise<boolean> {
  const location = folder.at(name)
  const found = await folder.look(name)
  if (!found) return true
  if (!found.isDirectory()) {
    await unlink(location)
    return true
  }
  // An agent may have removed all permissions of the folder. Agents cannot reach it here, so it is
  // not a link.
  if ((found.mode & 0o700n) !== 0o700n) await orAbsent(chmod(location, 0o700))
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await orAbsent(open(location, flags))
  if (!handle) return false
  try {
    const through = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : location
    for await (const entry of await opendir(through, { encoding: 'buffer' as BufferEncoding })) {
      if (isOver()) return true
      const inner = Buffer.concat([Buffer.from(`${through}/`), Buffer.from(entry.name)])
      await removeEntry(inner, folder)
    }
    await orAbsent(rmdir(location))
    return (await folder.look(name)) === undefined
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOTEMPTY', 'EBUSY'].includes(errorCode(error))) return false
    throw error
  } finally {
    await handle.close()
  }
}

async function removeEntry(entry: Buffer, folder: CheckedFolder): Promise<void> {
  try {
    await unlink(entry)
  } catch (error) {
    // A folder: Linux returns EISDIR, other systems EPERM.
    if (!['EISDIR', 'EPERM'].includes(errorCode(error))) {
      if (errorCode(error) === 'ENOENT') return
      throw error
    }
    await rename(entry, folder.at(trashName()))
  }
}
