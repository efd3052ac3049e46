import { constants, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'

/** The permissions of a file's group and of all other users. */
const others = 0o077

/**
 * Removes all permissions of users other than the owner from a folder and everything in it: files
 * become at most 0600 and folders 0700. Symbolic links in it are not followed, so nothing outside
 * changes. If the folder's own name is a link, the content of its target is changed, but not the
 * target itself. Files that cannot be changed because they belong to another user are logged. Does
 * nothing if the folder does not exist.
 * @param content - `folders`: only the folders directly in it. `none`: only the folder itself.
 */
export async function restrictFolder(
  folder: string,
  { log, content = 'all' }: { readonly log: Logger; readonly content?: Restricting['content'] },
): Promise<void> {
  const left: string[] = []
  const linked = (await lstat(folder).catch(ignoreMissing))?.isSymbolicLink() === true
  if (linked) await restrictContent(folder, { content, left })
  else await restrict(folder, { content, left })
  if (left.length > 0)
    log.warn('Other users may read files of the service, and their modes cannot be changed. Change their owner or their modes.', {
      folder,
      paths: left.slice(0, 10),
      count: left.length,
    })
}

interface Restricting {
  readonly content: 'all' | 'folders' | 'none'
  readonly left: string[]
}

async function restrict(path: string, means: Restricting): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing)
  if (found === undefined || !(found.isFile() || found.isDirectory())) return
  if ((found.mode & others) !== 0) await restrictOne(path, means.left)
  if (found.isDirectory()) await restrictContent(path, means)
}

async function restrictContent(folder: string, means: Restricting): Promise<void> {
  if (means.content === 'none') return
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? []) {
    if (means.content === 'all') await restrict(join(folder, entry.name), means)
    else if (entry.isDirectory()) await restrict(join(folder, entry.name), { ...means, content: 'none' })
  }
}

/**
 * Changes the mode through a handle opened without following links, so that renames during the call
 * cannot redirect the change.
 */
async function restrictOne(path: string, left: string[]): Promise<void> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const { mode } = await handle.stat()
      await handle.chmod(mode & ~others & 0o777)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP') return
    if (!['EPERM', 'EACCES', 'EROFS'].includes(code)) throw error
    left.push(path)
  }
}

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
