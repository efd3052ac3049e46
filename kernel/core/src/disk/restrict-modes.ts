import { constants, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'

/** Bits that let a file's group or everybody else at it. */
const others = 0o077

/**
 * Takes from a folder, and from everything in it, what others than its owner may do, whatever it was made with: files become 0600 and folders 0700 at
 * most. Symbolic links in it are not followed, so nothing outside changes; where the folder's own name is a link, its content changes and the folder that
 * the link leads to does not. What cannot be changed, since it belongs to another user, is reported. Nothing happens where there is no folder.
 * @param content - `folders`: the folders in it, and nothing below them. `none`: the folder alone.
 */
export async function restrictFolder(
  folder: string,
  { log, content = 'all' }: { readonly log: Logger; readonly content?: Restricting['content'] },
): Promise<void> {
  const left: string[] = []
  const linked = (await lstat(folder).catch(unlessGone))?.isSymbolicLink() === true
  if (linked) await restrictContent(folder, { content, left })
  else await restrict(folder, { content, left })
  if (left.length > 0)
    log.warn('Others may read files of the service, and their modes cannot be changed. Change their owner, or their modes.', {
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
  const found = await lstat(path).catch(unlessGone)
  if (found === undefined || !(found.isFile() || found.isDirectory())) return
  if ((found.mode & others) !== 0) await restrictOne(path, means.left)
  if (found.isDirectory()) await restrictContent(path, means)
}

async function restrictContent(folder: string, means: Restricting): Promise<void> {
  if (means.content === 'none') return
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []) {
    if (means.content === 'all') await restrict(join(folder, entry.name), means)
    else if (entry.isDirectory()) await restrict(join(folder, entry.name), { ...means, content: 'none' })
  }
}

/** Through a handle that no link leads to, so that what is changed is what was looked at, even if somebody exchanges the names meanwhile. */
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

const unlessGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
