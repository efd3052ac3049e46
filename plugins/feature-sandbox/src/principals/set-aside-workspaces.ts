import { randomBytes } from 'node:crypto'
import type { HandOverItem } from '@agent-service/sdk/contracts/user-data'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import { type UserFiles, type UserFolder, userFileConflictError } from '@agent-service/sdk/services/user-files'

/** Names that are read at a time. */
const pageSize = 100

/** Moves the workspaces of a user's agents into a folder of this name, out of the way of agents. */
export type SetAsideWorkspaces = (userId: string, name: string) => Promise<readonly HandOverItem[]>

/**
 * The workspaces of an account that gets another holder go into a folder that is no agent's: what is
 * in them runs whenever an agent runs a program there, such as its packages and the files that a
 * shell reads first. Whatever else is beside them goes too, since no name tells what it is for.
 */
export function createSetAsideWorkspaces(dependencies: {
  readonly files: Pick<UserFiles, 'folder'>
  readonly accounts: Pick<Accounts, 'get'>
}): SetAsideWorkspaces {
  const { files, accounts } = dependencies
  return async (userId, target) => {
    const account = await accounts.get(userId)
    if (!account) return []
    const all = files.folder(account, { subsystem: 'workspaces', links: 'refuse' })
    let count = 0
    for (;;) {
      const page = await all.list('', { limit: pageSize })
      const names = (page?.items ?? []).map(({ name }) => name).filter((name) => name !== target)
      for (const name of names) await moveInto(all, target, name)
      count += names.length
      if (names.length === 0) break
    }
    return count === 0 ? [] : [{ what: `workspaces of agents, in “${target}”`, count, outcome: 'kept' }]
  }
}

/** A workspace that was made again since it was moved is moved beside the first. */
async function moveInto(all: UserFolder, target: string, name: string): Promise<void> {
  try {
    await all.move(name, `${target}/${name}`)
  } catch (error) {
    if (!userFileConflictError.isInstance(error)) throw error
    await all.move(name, `${target}/${name}-${randomBytes(4).toString('hex')}`)
  }
}
