import { documentsOf, type Transaction } from '@agent-service/sdk/services/database'
import type { TaskLimits, TaskParts } from '../parts/task-parts.js'
import type { Execution } from '../store/execution.js'
import { type Lease, leaseCollection } from '../store/lease.js'
import type { AtWork } from './lanes.js'

/** The places that are taken, as the store has them. */
export interface Places extends AtWork {
  readonly taken: number
  /** Executions that have a place. */
  readonly executions: readonly string[]
  /** The first free numbers; `undefined` if the deployment or the agent has no place left. */
  free(agentId: string): readonly string[] | undefined
}

const digits = 6
const idOfPlace = (number: number): string => `all/${String(number).padStart(digits, '0')}`
const idOfAgentPlace = (agentId: string, number: number): string => `agent/${agentId}/${String(number).padStart(digits, '0')}`

/** Reads what is taken now. */
export async function readPlaces({ database, limits }: Pick<TaskParts, 'database' | 'limits'>): Promise<Places> {
  const leases: Lease[] = []
  for await (const lease of documentsOf(database, leaseCollection, { index: 'by_kind', equals: [], pageSize: 200 })) leases.push(lease)
  return placesOf(leases, limits)
}

/** The same, for leases that are known. */
export function placesOf(leases: readonly Lease[], limits: Pick<TaskLimits, 'maxConcurrent' | 'maxConcurrentPerAgent'>): Places {
  const ids = new Set(leases.map(({ id }) => id))
  const places = leases.filter(({ kind }) => kind === 'all')
  const count = (member: 'user_id' | 'agent_id', value: string): number => places.filter((lease) => lease[member] === value).length
  const firstFree = (idOf: (number: number) => string, max: number): string | undefined => {
    for (let number = 1; number <= max; number += 1) if (!ids.has(idOf(number))) return idOf(number)
    return undefined
  }
  return {
    taken: places.length,
    executions: places.map(({ execution_id }) => execution_id),
    ofUser: (userId) => count('user_id', userId),
    ofAgent: (agentId) => count('agent_id', agentId),
    free(agentId) {
      // Places above a limit that was lowered are still at work.
      if (places.length >= limits.maxConcurrent || count('agent_id', agentId) >= limits.maxConcurrentPerAgent) return undefined
      const place = firstFree(idOfPlace, limits.maxConcurrent)
      const ofAgent = firstFree((number) => idOfAgentPlace(agentId, number), limits.maxConcurrentPerAgent)
      return place === undefined || ofAgent === undefined ? undefined : [place, ofAgent]
    },
  }
}

/** Gives places to an execution. False if one was taken meanwhile; then nothing may be written. */
export async function takePlaces(transaction: Transaction, ids: readonly string[], execution: Execution, now: string): Promise<boolean> {
  const { id: execution_id, user_id, agent_id } = execution
  if (agent_id === null) return false
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

export function releasePlaces(transaction: Transaction, { leases }: Pick<Execution, 'leases'>): void {
  for (const id of leases) transaction.delete(leaseCollection, id)
}
