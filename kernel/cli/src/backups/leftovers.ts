import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The folder in which a backup is made, before it gets its name. */
export const partialBackupOf = (folder: string, id: string): string => join(dirname(folder), `.${basename(folder)}.partial-${id}`)

/**
 * The folder in which a restored database is made, and the folder that the replaced one is moved
 * to.
 */
export const restoringOf = (folder: string, id: string): string => join(dirname(folder), `.${basename(folder)}.restoring-${id}`)
export const replacedOf = (folder: string, id: string): string => join(dirname(folder), `.${basename(folder)}.replaced-${id}`)

/**
 * Removes the remains of backups whose process was killed. Called while no backup is being made in
 * the folder.
 */
export const removePartialBackups = (folder: string): Promise<void> =>
  removeMatching(folder, (name) => /^\..*\.partial-[0-9a-f-]{36}$/.test(name))

/**
 * Removes the remains of restores whose process was killed, beside a database's folder. The caller
 * holds its lock, so no restore is under way.
 */
export function removeRestoreLeftovers(folder: string): Promise<void> {
  const path = resolve(folder)
  const id = '0'.repeat(36)
  const prefixes = [restoringOf(path, id), replacedOf(path, id)].map((name) => basename(name).slice(0, -id.length))
  return removeMatching(dirname(path), (name) =>
    prefixes.some((prefix) => name.startsWith(prefix) && name.length === prefix.length + id.length),
  )
}

async function removeMatching(folder: string, matches: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return []
    throw error
  })
  for (const name of names) if (matches(name)) await rm(join(folder, name), { recursive: true, force: true })
}
