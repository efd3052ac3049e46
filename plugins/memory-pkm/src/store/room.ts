import { leadingOf } from '@agent-service/sdk/memory-index'
import { memoryFullError } from './errors.js'
import type { StoredMemory } from './records.js'

/**
 * What has to go so that new memories fit into the most that is kept of a user, closed and forgotten ones
 * too: those that were forgotten longest ago. What they said stays barred by its digests.
 *
 * @throws `memory_full` if the others alone are too many.
 */
export function roomFor(
  memories: ReadonlyMap<string, StoredMemory>,
  puts: ReadonlyMap<string, StoredMemory>,
  maxMemories: number,
): readonly StoredMemory[] {
  let added = 0
  for (const id of puts.keys()) if (!memories.has(id)) added += 1
  const excess = memories.size + added - maxMemories
  if (added === 0 || excess <= 0) return []
  const { items } = leadingOf(forgottenIn(memories, puts), {
    compare: (one, other) => compare(one.updated_at, other.updated_at) || compare(one.memory_id, other.memory_id),
    weigh: () => 1,
    max: excess,
  })
  if (items.length < excess) throw memoryFullError.create({ maxMemories })
  return items
}

function* forgottenIn(memories: ReadonlyMap<string, StoredMemory>, puts: ReadonlyMap<string, StoredMemory>): Generator<StoredMemory> {
  for (const [id, memory] of memories) if (memory.forgotten && !puts.has(id)) yield memory
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)
