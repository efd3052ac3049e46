import { isInMemoryScope, type MemoryHit, type MemoryQuery } from '@agent-service/sdk/contracts/memory-backend'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import type { UserMemories } from '../store/user-memories.js'
import { itemOf, kindOf } from './item-view.js'
import { holds, isInScope } from './readable.js'
import type { DecaySettings } from './score.js'

/** The best matches among the memories that hold at a time: short ones, faded ones too, statements, pages, playbooks. */
export async function searchMemories(
  dependencies: {
    readonly memories: UserMemories
    readonly search: MemorySearch
    readonly now: () => number
    readonly settings: DecaySettings
  },
  { userId, text, limit, kinds, scope, asOf, ...reader }: MemoryQuery,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly MemoryHit[]> {
  const { memories, search, now, settings } = dependencies
  const view = await memories.view(userId, { signal })
  const accept = (id: string): boolean => {
    const memory = view.memories.get(id)
    if (!memory || !holds(memory, now(), asOf) || !isInScope(memory.scope, { userId, ...reader })) return false
    if (!isInMemoryScope(memory.scope, scope)) return false
    // What a short memory and its statement both say is found once.
    if (memory.type === 'short' && memory.statement_id !== null && kinds === undefined) {
      const same = view.memories.get(memory.statement_id)
      if (same && holds(same, now(), asOf)) return false
    }
    return kinds === undefined || kinds.includes(kindOf(memory))
  }
  const found = await search.search(userId, text, { limit, accepts: accept, signal })
  return found.flatMap(({ id, score }) => {
    const memory = view.memories.get(id)
    return memory ? [{ item: itemOf(memory, settings), score }] : []
  })
}
