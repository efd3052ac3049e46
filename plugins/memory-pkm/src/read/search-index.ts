import type { Logger } from '@agent-service/sdk'
import {
  createIndexCache,
  createMemorySearch,
  createVectorSearch,
  type MemoryDocument,
  type MemorySearch,
} from '@agent-service/sdk/memory-index'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { StoredMemory } from '../store/records.js'
import type { MemoryView, UserMemories } from '../store/user-memories.js'
import { createVectorStore } from '../store/vectors.js'

/** Finds memories by their words, and by their meaning where a model makes vectors; kept up with every change. */
export function createSearch(dependencies: {
  readonly database: Database
  readonly memories: UserMemories
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}): MemorySearch {
  const { memories, inference, clock, log, signal } = dependencies
  const source = {
    load: async (userId: string, options: { readonly signal: AbortSignal }) => {
      const view = await memories.view(userId, options)
      return { version: view.revision, documents: documentsOfView(view) }
    },
    versionOf: (userId: string) => memories.revisionOf(userId),
    signal,
  }
  const vectors = createVectorSearch({ ...source, inference, clock, log, store: createVectorStore(dependencies.database) })
  const search = createMemorySearch({ cache: createIndexCache(source), vectors })
  memories.onChange((userId, view, puts) =>
    search.changed(userId, {
      version: view.revision,
      put: puts.flatMap((memory) => documentOf(memory, view) ?? []),
      remove: puts.filter(({ forgotten }) => forgotten).map(({ memory_id: id }) => id),
    }),
  )
  return search
}

/**
 * Those of the newest days first: they matter most if there are too many. Made one by one, as they are
 * taken: who takes many does so in slices.
 */
export function* documentsOfView(view: MemoryView): Generator<MemoryDocument> {
  const days = new Map<string, StoredMemory[]>()
  for (const memory of view.memories.values()) {
    if (memory.forgotten) continue
    const day = memory.updated_at.slice(0, 10)
    const known = days.get(day)
    if (known) known.push(memory)
    else days.set(day, [memory])
  }
  for (const day of [...days.keys()].sort().reverse())
    for (const memory of days.get(day) ?? []) {
      const document = documentOf(memory, view)
      if (document) yield document
    }
}

/** A memory as it is searched; the subject of a statement finds it too. */
function documentOf(memory: StoredMemory, { memories }: MemoryView): MemoryDocument | undefined {
  if (memory.forgotten) return undefined
  const { memory_id: id, text } = memory
  if (memory.type === 'page') return { id, title: memory.title, aliases: memory.aliases, text }
  if (memory.type === 'playbook') return { id, title: memory.title, text: `${memory.when_to_use}\n${text}` }
  const page = memory.page_id === null ? undefined : memories.get(memory.page_id)
  return page?.type === 'page' && !page.forgotten ? { id, aliases: [page.title, ...page.aliases], text } : { id, text }
}
