import { defineError } from '@agent-service/sdk'
import type { StoredMemory } from '../store/collections.js'
import type { Memories } from '../store/memory-store.js'

/** A user has as many memories as there may be. */
export const memoryFullError = defineError<{ readonly max: number }>({
  code: 'memory_full',
  status: 409,
  title: 'Memory full',
  message: ({ max }) => `There are ${max} memories, which is the maximum. Forget some of them first.`,
})

/**
 * What has to go so that new memories fit into the most that is stored of a user, whatever their
 * state: the memories that were forgotten longest ago, of which only the id is left.
 *
 * @throws `memory_full` if the others alone are too many.
 */
export function makeRoom(memories: Memories, put: readonly StoredMemory[], max: number): readonly StoredMemory[] {
  const added = put.filter(({ memory_id: id }) => !memories.has(id)).length
  const excess = memories.size + added - max
  if (added === 0 || excess <= 0) return []
  const isPut = new Set(put.map(({ memory_id: id }) => id))
  const forgotten = [...memories.values()].filter(({ state, memory_id: id }) => state === 'forgotten' && !isPut.has(id))
  if (forgotten.length < excess) throw memoryFullError.create({ max })
  return forgotten.sort((one, other) => (one.updated_at < other.updated_at ? -1 : 1)).slice(0, excess)
}
