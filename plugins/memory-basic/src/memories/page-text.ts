import type { StoredMemory } from '../store/collections.js'
import type { Memories } from '../store/memory-store.js'
import { oldestFirst } from './prompt-text.js'

/**
 * The page of a memory of another back end as it is without what the changed memories said before: its
 * body repeats what belongs to it. Empty if there is none, or a person has written it.
 */
export function pageWithout(memories: Memories, changed: readonly StoredMemory[], at: string): readonly StoredMemory[] {
  const pageIds = new Set(changed.flatMap(({ page_id: pageId }) => pageId ?? []))
  if (pageIds.size === 0) return []
  const after = new Map(memories)
  for (const memory of changed) after.set(memory.memory_id, memory)
  return [...pageIds].flatMap((pageId) => {
    const page = after.get(pageId)
    if (page?.state !== 'live' || page.corrected || page.kind !== 'summary') return []
    const lines = [...after.values()]
      .filter((each) => each.page_id === pageId && each.state === 'live' && each.kind === 'statement' && each.valid_to === null)
      .sort(oldestFirst)
      .map(({ text }) => `- ${text.replaceAll(/\s+/g, ' ').trim()}`)
    return [{ ...page, text: lines.length > 0 ? lines.join('\n') : (page.title ?? ''), updated_at: at }]
  })
}

/** Memories that say the same on the same page of another back end: for people they are one. */
export const twinsOf = (memories: Memories, { memory_id: id, page_id: pageId, text }: StoredMemory): readonly StoredMemory[] =>
  pageId === null
    ? []
    : [...memories.values()].filter(
        (each) =>
          each.memory_id !== id && each.state === 'live' && each.page_id === pageId && each.text === text && each.kind !== 'summary',
      )
