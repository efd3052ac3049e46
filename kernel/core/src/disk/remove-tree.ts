import { randomUUID } from 'node:crypto'
import { chmod, lstat, opendir, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** How many names are in memory at once. */
const pageSize = 1_000

/**
 * Removes a folder with everything in it, whatever programs have made of it: paths that are longer than the system takes,
 * and folders without rights, which `rm` leaves. Links are not followed. Each nested folder is first moved to the
 * top, so neither memory nor open files grow with the depth. Does nothing if it does not exist.
 */
export async function removeTree(folder: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
  const found = await lstat(folder).catch(unlessMissing)
  if (found === undefined) return
  if (!found.isDirectory()) return unlink(folder)
  const top = Buffer.from(folder)
  await emptyFolder(
    top,
    async (inner) => {
      await emptyFolder(inner, (nested) => rename(nested, join(folder, randomUUID())), signal)
      await rmdir(inner)
    },
    signal,
  )
  await rmdir(folder)
}

/** Removes the files of a folder, and gives each folder in it away. */
async function emptyFolder(folder: Buffer, give: (inner: Buffer) => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  await chmod(folder, 0o700)
  for (;;) {
    const names = await namesIn(folder)
    if (names.length === 0) return
    for (const name of names) {
      signal?.throwIfAborted()
      const path = Buffer.concat([folder, Buffer.from('/'), name])
      if (await isFolder(path)) {
        // What has no rights cannot be moved.
        await chmod(path, 0o700)
        await give(path)
      } else await unlink(path).catch(unlessMissing)
    }
  }
}

async function namesIn(folder: Buffer): Promise<readonly Buffer[]> {
  const names: Buffer[] = []
  for await (const { name } of await opendir(folder, { encoding: 'buffer' as BufferEncoding })) {
    // The types of Node promise a text here.
    names.push(Buffer.from(name))
    if (names.length === pageSize) break
  }
  return names
}

const isFolder = async (path: Buffer): Promise<boolean> => (await lstat(path).catch(unlessMissing))?.isDirectory() === true

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
