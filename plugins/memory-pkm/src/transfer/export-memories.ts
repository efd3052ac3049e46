import type { JsonObject } from '@agent-service/sdk'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { itemOf } from '../read/item-view.js'
import type { DecaySettings } from '../read/score.js'
import type { StoredMemory } from '../store/records.js'
import { digestsOf, ownDigestsOf } from '../store/tombstones.js'
import type { MemoryView } from '../store/user-memories.js'

/** The id under which the neutral format has what only this back end can express. */
export const backendId = 'pkm'

/** Everything of a user in the neutral format, closed and forgotten memories too, in the order of their ids. */
export function* exportMemories({ memories }: MemoryView, settings: DecaySettings): Generator<MemoryRecord> {
  const inOrder = [...memories.values()].sort((one, other) => (one.memory_id < other.memory_id ? -1 : 1))
  for (const memory of inOrder) yield recordOf(memory, settings)
}

/** The most that the neutral format has. */
const maxDigests = 500

/** A memory in the neutral format. */
export function recordOf(memory: StoredMemory, settings: DecaySettings): MemoryRecord {
  const details = { ...memory.foreign, [backendId]: detailsOf(memory) }
  const digests = [...new Set([...(memory.forgotten ? [] : digestsOf(memory)), ...memory.buried])].slice(-maxDigests)
  return {
    ...{ format: 1, ...itemOf(memory, settings), details },
    ...(memory.forgotten ? { forgotten: true } : memory.origin === 'person' && { corrected: true }),
    ...(digests.length > 0 && { digests }),
  }
}

/**
 * The members that the neutral format has no place for. With them go digests of what it says: they tell
 * on return whether a person has changed it elsewhere.
 */
function detailsOf(memory: StoredMemory): JsonObject {
  const {
    id: _,
    user_id: __,
    memory_id: ___,
    scope: ____,
    text: _____,
    pinned,
    created_at,
    updated_at,
    evidence,
    forgotten,
    foreign,
    ...rest
  } = memory
  return JSON.parse(JSON.stringify({ ...rest, ...(!forgotten && { digests: ownDigestsOf(memory) }) })) as JsonObject
}
