import { lstat, opendir, unlink } from 'node:fs/promises'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, openCheckedFolder } from './checked-folder.js'
import { emptyTrash } from './empty-trash.js'
import type { FileTree } from './file-tree.js'
import { incomingTree, isTrash } from './incoming-folder.js'
import { orAbsent } from './path-of-descriptor.js'

/** A file that nobody has written to for so long belongs to a write that is over. */
const staleMs = 24 * 3_600_000
const trashMs = 60_000

/** Frees what writes and removals left behind when the process went down, or did not finish in their time. */
export function createIncomingSweep(
  dependencies: Pick<FileTree, 'usersFolder' | 'locate'> & { readonly clock: Pick<Clock, 'now'> },
): SchedulerJob {
  const { usersFolder, locate, clock } = dependencies
  return {
    specVersion: 1,
    id: 'kernel.sweep-files',
    title: 'Free what interrupted writes and removals of files left behind',
    everySeconds: 600,
    async run({ signal }) {
      const users = await orAbsent(opendir(usersFolder))
      if (!users) return
      for await (const user of users) {
        signal.throwIfAborted()
        const incoming = user.isDirectory() ? await openIncomingOf(user.name, { usersFolder, locate }) : undefined
        if (!incoming) continue
        try {
          await sweepFiles(incoming, clock.now() - staleMs, signal)
          await emptyTrash(incoming, { withinMs: trashMs, signal })
        } finally {
          await incoming.close()
        }
      }
    },
  }
}

async function openIncomingOf(handle: string, where: Pick<FileTree, 'usersFolder' | 'locate'>): Promise<CheckedFolder | undefined> {
  try {
    return await openCheckedFolder(incomingTree(where, handle), [])
  } catch (error) {
    // A folder that is no user's.
    if (userPathInvalidError.isInstance(error)) return undefined
    throw error
  }
}

async function sweepFiles(incoming: CheckedFolder, before: number, signal: AbortSignal): Promise<void> {
  for await (const { name } of await opendir(incoming.self)) {
    signal.throwIfAborted()
    if (isTrash(name)) continue
    const found = await orAbsent(lstat(incoming.at(name)))
    if (found && !found.isDirectory() && found.mtimeMs < before) await orAbsent(unlink(incoming.at(name)))
  }
}
