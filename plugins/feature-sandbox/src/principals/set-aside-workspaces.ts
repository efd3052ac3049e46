import { randomBytes } from 'node:crypto'
import type { HandOverItem } from '@agent-service/sdk/contracts/user-data'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserFiles } from '@agent-service/sdk/services/user-files'

/** Moves the workspaces of a user's agents out of the way of agents. */
export type SetAsideWorkspaces = (userId: string) => Promise<readonly HandOverItem[]>

const movedPattern = /^before-\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/

/**
 * The workspaces of an account that gets another holder go into a folder that is no agent's: what is
 * in them runs whenever an agent runs a program there, such as its packages and the files that a
 * shell reads first.
 */
export function createSetAsideWorkspaces(dependencies: {
  readonly files: Pick<UserFiles, 'folder'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly clock: Pick<Clock, 'now'>
}): SetAsideWorkspaces {
  const { files, accounts, clock } = dependencies
  return async (userId) => {
    const account = await accounts.get(userId)
    if (!account) return []
    const all = files.folder(account, { subsystem: 'workspaces', links: 'refuse' })
    const target = `before-${new Date(clock.now()).toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
    let count = 0
    for (;;) {
      const page = await all.list('', { limit: 1_000 })
      const names = (page?.items ?? []).map(({ name }) => name).filter((name) => !movedPattern.test(name))
      for (const name of names) await all.move(name, `${target}/${name}`)
      count += names.length
      if (names.length === 0) break
    }
    return count === 0 ? [] : [{ what: `workspaces of agents, in “${target}”`, count, outcome: 'kept' }]
  }
}
