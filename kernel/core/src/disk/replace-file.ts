import { dirname } from 'node:path'
import type { DurableFileSystem, FileOwner } from './durable-file-system.js'

/**
 * The path at which a file's new content is written. A killed process may leave the file; the next
 * replacement overwrites it.
 */
export const temporaryPath = (path: string): string => `${path}.new`

/**
 * Replaces the content of a file, or creates it in an existing folder. When this resolves, the new
 * content survives a power failure. If it rejects or is interrupted at any point, the file has
 * completely the old content or completely the new one. Only one replacement of a path may run at a
 * time.
 */
export async function replaceFile(
  fileSystem: DurableFileSystem,
  path: string,
  text: string,
  options: {
    /** The owner of the file. Default: this user. */
    readonly owner?: FileOwner | undefined
    /**
     * Called when the new content is durable, right before the rename; if it throws, the old
     * content stays.
     */
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
    // If it cannot be removed, the next replacement overwrites it; the original error matters more.
    await fileSystem.removeFile(temporary).catch(() => undefined)
    throw error
  }
  await fileSystem.syncFolder(dirname(path))
}
