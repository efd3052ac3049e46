import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, open, opendir, rename, rmdir, unlink } from 'node:fs/promises'
import type { CheckedFolder } from './checked-folder.js'
import { errorCode, orAbsent } from './path-of-descriptor.js'

const prefix = 'trash-'

/** A name under which a folder is thrown away. */
export const trashName = (): string => `${prefix}${randomUUID()}`

/** Whether something was thrown away under this name. */
export const isTrash = (name: string): boolean => name.startsWith(prefix)

/** So many folders are taken up at once. */
const mostAtOnce = 1_000

/**
 * Removes the folders that were thrown away in a folder, for so long at most. A folder in one of them is first moved beside
 * it: there is never a path of several names that could be changed meanwhile, and depth does not matter. What cannot be
 * removed stays for the next time.
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
    if (names.length === mostAtOnce) break
  }
  return names
}

/** Empties one folder and removes it; false where that was not possible. */
async function removeFlat(folder: CheckedFolder, name: string, isOver: () => boolean): Promise<boolean> {
  const place = folder.at(name)
  const found = await folder.look(name)
  if (!found) return true
  if (!found.isDirectory()) {
    await unlink(place)
    return true
  }
  // A folder that an agent has closed to everybody. Nobody can put a link here in its place.
  if ((found.mode & 0o700n) !== 0o700n) await orAbsent(chmod(place, 0o700))
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await orAbsent(open(place, flags))
  if (!handle) return false
  try {
    const through = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : place
    for await (const entry of await opendir(through, { encoding: 'buffer' as BufferEncoding })) {
      if (isOver()) return true
      const inner = Buffer.concat([Buffer.from(`${through}/`), Buffer.from(entry.name)])
      await removeEntry(inner, folder)
    }
    await orAbsent(rmdir(place))
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
    // A folder: Linux says EISDIR, others EPERM.
    if (!['EISDIR', 'EPERM'].includes(errorCode(error))) {
      if (errorCode(error) === 'ENOENT') return
      throw error
    }
    await rename(entry, folder.at(trashName()))
  }
}
