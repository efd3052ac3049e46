import { isInMemoryScope, type MemoryHit, type MemoryQuery } from '@agent-service/sdk/contracts/memory-backend'
import {
  createIndexCache,
  createMemorySearch,
  createVectorSearch,
  type MemoryDocument,
  type MemorySearch,
  type VectorSearchOptions,
} from '@agent-service/sdk/memory-index'
import type { StoredMemory } from '../store/collections.js'
import type { CommittedChange, Memories, MemoryStore } from '../store/memory-store.js'
import { isSeenBy, itemOf } from './records.js'

/** Makes the search over a store: by words, and by meaning where there is a model for it. */
export function createSearch(
  store: Pick<MemoryStore, 'read' | 'versionOf'>,
  parts: Omit<VectorSearchOptions, 'load' | 'versionOf'>,
): MemorySearch {
  const documents = {
    versionOf: store.versionOf,
    async load(userId: string, options: { readonly signal: AbortSignal }) {
      const version = await store.versionOf(userId)
      const memories = await store.read(userId, options)
      return { version, documents: documentsOf(memories) }
    },
  }
  return createMemorySearch({
    cache: createIndexCache({ ...documents, signal: parts.signal }),
    vectors: createVectorSearch({ ...documents, ...parts }),
  })
}

/**
 * Those of the newest days first: they matter most if there are too many. Made one by one, as they are
 * taken: who takes many does so in slices.
 */
function* documentsOf(memories: Memories): Generator<MemoryDocument> {
  const days = new Map<string, StoredMemory[]>()
  for (const memory of memories.values()) {
    if (memory.state !== 'live') continue
    const day = memory.updated_at.slice(0, 10)
    const known = days.get(day)
    if (known) known.push(memory)
    else days.set(day, [memory])
  }
  for (const day of [...days.keys()].sort().reverse()) for (const memory of days.get(day) ?? []) yield documentOf(memory)
}

const documentOf = ({ memory_id: id, title, text }: StoredMemory) => ({ id, text, ...(title !== null && { title }) })

/** What of a committed change the search has to know. */
export const searchChangeOf = ({ version, put, remove }: CommittedChange) => ({
  version,
  put: put.filter(({ state }) => state === 'live').map(documentOf),
  remove: [...put.filter(({ state }) => state !== 'live'), ...remove].map(({ memory_id }) => memory_id),
})

/** The memories that fit a query and that its reader sees. */
export async function findMemories(
  search: MemorySearch,
  memories: Memories,
  { userId, text, limit, kinds, scope, ...reader }: MemoryQuery,
  signal: AbortSignal,
): Promise<readonly MemoryHit[]> {
  const accepts = (id: string): boolean => {
    const memory = memories.get(id)
    if (memory === undefined || !isInMemoryScope(memory.scope, scope)) return false
    return isSeenBy({ userId, ...reader }, memory) && kinds?.includes(memory.kind) !== false
  }
  const matches = await search.search(userId, text, { limit, accepts, signal })
  return matches.flatMap(({ id, score }) => {
    const memory = memories.get(id)
    return memory ? [{ item: itemOf(memory), score }] : []
  })
}
