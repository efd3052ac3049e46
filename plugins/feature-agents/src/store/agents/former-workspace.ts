import { defineCollection, type Transaction } from '@agent-service/sdk/services/database'
import { agentCollection } from './agent.js'

/**
 * A folder name that an agent of this user had. Its files may still exist, so no other agent gets
 * the name.
 */
export type FormerWorkspace = {
  /** `<user>/<name>`. */
  readonly id: string
  readonly user_id: string
  readonly name: string
  /** The number with which the search for a free name continues. */
  readonly next: number
}

export const formerWorkspaceCollection = defineCollection<FormerWorkspace>()({
  name: 'agents.former_workspaces',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/**
 * The handle, or the handle with the first suffix from `-2` on that no agent of the user has or
 * had.
 */
export async function freeWorkspace(transaction: Transaction, userId: string, handle: string): Promise<string> {
  const formerly = (name: string) => transaction.get(formerWorkspaceCollection, idOf(userId, name))
  const first = await formerly(handle)
  let name = handle
  let next = first?.next ?? 2
  let taken = first !== undefined || (await hasAgent(transaction, userId, name))
  while (taken) {
    name = `${handle}-${next}`
    next += 1
    taken = (await hasAgent(transaction, userId, name)) || (await formerly(name)) !== undefined
  }
  // The search continues at a stored number, so that the thousandth agent of a name costs no more
  // than the second.
  if (name !== handle) transaction.put(formerWorkspaceCollection, { id: idOf(userId, handle), user_id: userId, name: handle, next })
  return name
}

/** Reserves the folder name of an agent that is being deleted. */
export async function keepWorkspaceName(transaction: Transaction, userId: string, name: string): Promise<void> {
  const known = await transaction.get(formerWorkspaceCollection, idOf(userId, name))
  if (!known) transaction.put(formerWorkspaceCollection, { id: idOf(userId, name), user_id: userId, name, next: 2 })
}

const idOf = (userId: string, name: string): string => `${userId}/${name}`

const hasAgent = async (transaction: Transaction, userId: string, name: string): Promise<boolean> =>
  (await transaction.find(agentCollection, 'by_workspace', [userId, name])) !== undefined
