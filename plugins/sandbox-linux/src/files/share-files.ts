import { stat } from 'node:fs/promises'
import { type SandboxRequest, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { isBelow } from '../confinement/system-paths.js'
import type { GivenUsers, SandboxUser } from '../machine/sandbox-users.js'
import { outermost } from './closed-folders.js'
import { ownFiles } from './own-files.js'

/**
 * Sees to it that a user other than the service's can open what a request gives it: what it may
 * write is its own, and so is a workspace that it may only read, since what confines it keeps it from
 * writing there.
 * @throws `sandbox_refused` for what belongs to another principal, and for what it may read and
 * cannot.
 */
export async function shareFiles(
  helper: string,
  user: SandboxUser,
  { files, directory }: Pick<SandboxRequest, 'files' | 'directory'>,
  users: Pick<GivenUsers, 'ownerOf'>,
): Promise<void> {
  const workspaces: string[] = []
  for (const each of files.read) if (isBelow(directory, each) && (await isPrivate(each))) workspaces.push(each)
  await ownFiles(helper, user, outermost([...files.write, ...workspaces]), users)
  for (const each of files.read) {
    const info = await stat(each).catch(() => undefined)
    if (info === undefined || info.uid === user.uid) continue
    const needed = info.isDirectory() ? 0o005 : 0o004
    if ((info.mode & needed) !== needed)
      throw sandboxRefusedError.create({ reason: `${each} may be read, and its mode keeps other users than its own from it` })
  }
}

/** Whether the service alone may open it. */
async function isPrivate(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined)
  return info !== undefined && info.uid === process.getuid?.() && (info.mode & 0o077) === 0
}
