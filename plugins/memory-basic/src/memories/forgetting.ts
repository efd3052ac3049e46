import type { StoredMemory } from '../store/collections.js'
import type { Memories, MemoryWrites } from '../store/memory-store.js'
import { pageWithout, twinsOf } from './page-text.js'
import { digestsWith, forgottenMemory } from './records.js'
import { restoreRevision } from './revisions.js'

/**
 * Forgets a memory, and what it was made of: that could be brought back otherwise. A page that repeats it
 * is written again. Undefined if the
 * user has none of this id.
 */
export function forgetMemory(memories: Memories, memoryId: string, at: string): MemoryWrites<boolean> | undefined {
  const memory = memories.get(memoryId)
  if (memory?.state !== 'live') return undefined
  const sources = [...sourcesOf(memories, memory), ...twinsOf(memories, memory)]
  const forgotten = [memory, ...sources].map((each) => ({ ...forgottenMemory(each, at), digests: digestsWith(each) }))
  return { result: true, put: [...forgotten, ...pageWithout(memories, forgotten, at)] }
}

/** What a memory was made of, also that of which this was made. */
function sourcesOf(memories: Memories, { made_by }: StoredMemory): readonly StoredMemory[] {
  if (made_by === null) return []
  const sources = [...memories.values()].filter(({ replaced_by }) => replaced_by === made_by)
  return sources.flatMap((source) => [source, ...sourcesOf(memories, source)])
}

/**
 * Forgets what only a deleted chat says. What a compaction made of it and of other memories is taken
 * apart again, as long as that is possible. What a person has pinned or corrected stays.
 */
export function forgetChat(memories: Memories, chatId: string, at: string): MemoryWrites<undefined> {
  const now = Date.parse(at)
  const after = new Map(memories)
  const removed = new Map<string, StoredMemory>()
  const says = ({ evidence }: StoredMemory): boolean => evidence.some((each) => each.chatId === chatId)
  const isKept = ({ pinned, corrected }: StoredMemory): boolean => pinned || corrected
  for (const memory of memories.values()) {
    if (memory.state !== 'live' || memory.made_by === null || isKept(memory) || !says(memory) || !after.has(memory.memory_id)) continue
    const { put = [], remove = [] } = restoreRevision(after, memory.made_by, now) ?? {}
    for (const each of remove) {
      after.delete(each.memory_id)
      removed.set(each.memory_id, each)
    }
    for (const each of put) after.set(each.memory_id, each)
  }
  for (const memory of after.values()) {
    if (memory.state === 'forgotten' || !says(memory)) continue
    const evidence = memory.evidence.filter((each) => each.chatId !== chatId)
    const stays = evidence.length > 0 || memory.partly_unproven || isKept(memory)
    after.set(memory.memory_id, stays ? { ...memory, evidence } : forgottenMemory(memory, at))
  }
  const forgotten = [...after.values()].filter((memory) => memory.state === 'forgotten' && memories.get(memory.memory_id) !== memory)
  for (const page of pageWithout(after, forgotten, at)) after.set(page.memory_id, page)
  const put = [...after.values()].filter((memory) => memories.get(memory.memory_id) !== memory)
  return { result: undefined, put, remove: [...removed.values()] }
}
