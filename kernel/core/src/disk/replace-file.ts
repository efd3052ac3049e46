import { dirname } from 'node:path'
import type { DurableFileSystem, FileOwner } from './durable-file-system.js'

/** Where the new content of a file is put together. A process that was killed may leave it; the next replacement takes it over. */
export const temporaryPath = (path: string): string => `${path}.new`

/**
 * Gives a file new content, or creates it in a folder that is there. When this resolves, the new content survives a power failure; when it rejects or
 * is cut off anywhere, the file has the old content or the new one, whole. Only one replacement of a path may be under way.
 */
export async function replaceFile(
  fileSystem: DurableFileSystem,
  path: string,
  text: string,
  options: {
    /** Who the file shall belong to; by default this user. */
    readonly owner?: FileOwner | undefined
    /** Called when the new content is durable, right before it takes its place; a throw leaves the old content. */
    readonly confirm?: () => Promise<void>
  } = {},
): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    await fileSystem.writeFile(temporary, text, options.owner)
    await fileSystem.syncFile(temporary)
    await options.confirm?.()
    await fileSystem.rename(temporary, path)
  } catch (error) {
    // What cannot be removed now is taken over by the next replacement; the error that led here says more.
    await fileSystem.removeFile(temporary).catch(() => undefined)
    throw error
  }
  await fileSystem.syncFolder(dirname(path))
}
