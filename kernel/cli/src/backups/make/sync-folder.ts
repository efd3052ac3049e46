import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes a file's content, or a folder's entries, durable. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes everything below a folder durable, and the folder itself. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path)
    else await syncPath(path)
  }
  await syncPath(folder)
}
