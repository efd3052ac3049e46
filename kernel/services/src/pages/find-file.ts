import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/** The folder with its links resolved; undefined if there is none. */
export const realFolder = (folder: string): Promise<string | undefined> => realpath(folder).catch(() => undefined)

/**
 * The real path of a file below a folder whose links are resolved. Undefined for what is no file, and for what links
 * lead to outside of the folder or to a hidden name.
 */
export async function findFile(root: string, segments: readonly string[]): Promise<string | undefined> {
  const real = await realpath(path.join(root, ...segments)).catch(() => undefined)
  if (real === undefined || !real.startsWith(`${root}${path.sep}`)) return undefined
  if (real.slice(root.length).includes(`${path.sep}.`)) return undefined
  const stats = await stat(real).catch(() => undefined)
  return stats?.isFile() ? real : undefined
}
