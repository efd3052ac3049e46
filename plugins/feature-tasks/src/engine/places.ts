import type { Accounts } from '@agent-service/sdk/services/accounts'
import { documentsOf, type Transaction } from '@agent-service/sdk/services/database'
import type { TaskLimits, TaskParts } from '../parts/task-parts.js'
import type { Execution } from '../store/execution.js'
import { type Lease, leaseCollection } from '../store/lease.js'
import type { AtWork } from './lanes.js'

/** The places that are taken, as the store has them. */
export interface Places extends AtWork {
  readonly taken: number
  /** The taken numbers. */
  readonly ids: readonly string[]
  /** How many users find a place at once. */
  readonly usersAtOnce: number
  /**
   * The first free numbers; `undefined` if the agent or the deployment has no place left, or if what
   * is left is kept for other users ({@link usersAtOnceOf}).
   */
  free(candidate: PlaceCandidate): readonly string[] | undefined
}

/** Who asks for a place. */
export type PlaceCandidate = Pick<Lease, 'user_id' | 'agent_id'>

/** What decides how many places there are, and for whom. */
type PlaceLimits = Pick<TaskLimits, 'maxConcurrent' | 'maxConcurrentPerAgent'>

/**
 * How many different users always find a place at once: all users, if they are not more than half of
 * the places and one. Beside those who have one, so many places stay free for users who have none. The
 * only user of a service has all places.
 */
const usersAtOnceOf = async (accounts: Pick<Accounts, 'ids'>, { maxConcurrent }: PlaceLimits): Promise<number> =>
  (await accounts.ids({ limit: Math.floor(maxConcurrent / 2) + 1 })).ids.length

const digits = 6
const idOfPlace = (number: number): string => `all/${String(number).padStart(digits, '0')}`
const idOfAgentPlace = (agentId: string, number: number): string => `agent/${agentId}/${String(number).padStart(digits, '0')}`

/** Reads what is taken now. */
export async function readPlaces({ database, accounts, limits }: Pick<TaskParts, 'database' | 'accounts' | 'limits'>): Promise<Places> {
  const leases: Lease[] = []
  for await (const lease of documentsOf(database, leaseCollection, { index: 'by_kind', equals: [], pageSize: 200 })) leases.push(lease)
  return placesOf(leases, limits, await usersAtOnceOf(accounts, limits))
}

/** The same, for leases that are known. */
export function placesOf(leases: readonly Lease[], limits: PlaceLimits, usersAtOnce: number): Places {
  const ids = new Set(leases.map(({ id }) => id))
  const places = leases.filter(({ kind }) => kind === 'all')
  const count = (member: 'user_id' | 'agent_id', value: string): number => places.filter((lease) => lease[member] === value).length
  // The end of an execution never lowers the sum of users and free places, so only takers look at it.
  const leavesEnough = ({ user_id }: PlaceCandidate): boolean => {
    if (count('user_id', user_id) === 0) return true
    const users = new Set(places.map((lease) => lease.user_id)).size
    return users + limits.maxConcurrent - places.length - 1 >= usersAtOnce
  }
  const firstFree = (idOf: (number: number) => string, max: number): string | undefined => {
    for (let number = 1; number <= max; number += 1) if (!ids.has(idOf(number))) return idOf(number)
    return undefined
  }
  return {
    taken: places.length,
    ids: places.map(({ id }) => id),
    usersAtOnce,
    ofUser: (userId) => count('user_id', userId),
    ofAgent: (agentId) => count('agent_id', agentId),
    free(candidate) {
      const { agent_id: agentId } = candidate
      // Places above a limit that was lowered are still at work.
      if (places.length >= limits.maxConcurrent || count('agent_id', agentId) >= limits.maxConcurrentPerAgent) return undefined
      if (!leavesEnough(candidate)) return undefined
      const place = firstFree(idOfPlace, limits.maxConcurrent)
      const ofAgent = firstFree((number) => idOfAgentPlace(agentId, number), limits.maxConcurrentPerAgent)
      return place === undefined || ofAgent === undefined ? undefined : [place, ofAgent]
    },
  }
}

/**
 * Gives places to an execution. False if one was taken meanwhile, or is kept for other users now;
 * then nothing may be written. What is kept is looked at in the transaction, so it holds however many
 * processes give places.
 */
export async function takePlaces(
  transaction: Transaction,
  ids: readonly string[],
  { execution, places, limits, now }: TakeOptions,
): Promise<boolean> {
  const { id: execution_id, user_id, agent_id } = execution
  if (agent_id === null) return false
  if (places.ofUser(user_id) > 0) {
    const present = await takenPlaces(transaction, places.ids, limits.maxConcurrent)
    if (!placesOf(present, limits, places.usersAtOnce).free({ user_id, agent_id })) return false
  }
  for (const id of ids) {
    if (await transaction.get(leaseCollection, id)) return false
    transaction.insert(leaseCollection, {
      id,
      kind: id.startsWith('all/') ? 'all' : 'agent',
      execution_id,
      user_id,
      agent_id,
      taken_at: now,
    })
  }
  return true
}

interface TakeOptions {
  readonly execution: Execution
  /** As they were when the ids were chosen. */
  readonly places: Places
  readonly limits: TaskLimits
  readonly now: string
}

/** The places of the deployment as the transaction sees them, those above a lowered limit included. */
async function takenPlaces(transaction: Transaction, taken: readonly string[], max: number): Promise<readonly Lease[]> {
  const ids = new Set([...taken, ...Array.from({ length: max }, (_, index) => idOfPlace(index + 1))])
  const leases: Lease[] = []
  for (const id of ids) {
    const lease = await transaction.get(leaseCollection, id)
    if (lease) leases.push(lease)
  }
  return leases
}

export function releasePlaces(transaction: Transaction, { leases }: Pick<Execution, 'leases'>): void {
  for (const id of leases) transaction.delete(leaseCollection, id)
}
