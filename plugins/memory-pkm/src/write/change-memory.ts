import type { MemoryChange, MemoryItem } from '@agent-service/sdk/contracts/memory-backend'
import { itemOf } from '../read/item-view.js'
import type { DecaySettings } from '../read/score.js'
import type { StoredMemory } from '../store/records.js'
import { buriedWith, bury, digestsOf, unbury } from '../store/tombstones.js'
import type { MemoryChanges, UserMemories } from '../store/user-memories.js'
import { companionsOf, dropQuestions } from './companions.js'
import { plainBody } from './page-body.js'

/**
 * Changes a memory for a person. A new text is a correction: learning does not overwrite it, and
 * what stood there before is not learnt again. A statement and the short memory that says the same
 * change together; the page of a statement is written again from its statements.
 */
export async function changeMemory(
  { memories, now, settings }: { readonly memories: UserMemories; readonly now: () => number; readonly settings: DecaySettings },
  id: string,
  change: MemoryChange,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<MemoryItem | undefined> {
  const at = new Date(now()).toISOString()
  return memories.change(
    userId,
    async (changes) => {
      const { transaction, view, get, put } = changes
      const memory = get(id)
      if (!memory || memory.forgotten) return undefined
      const changed = withChange(memory, change, at)
      if (change.text === undefined || change.text === memory.text) {
        if (change.pinned === undefined) return itemOf(memory, settings)
        put(changed)
        return itemOf(changed, settings)
      }
      const digests = digestsOf(memory)
      bury(transaction, userId, digests)
      unbury(transaction, userId, change.text)
      put({ ...changed, sources: [], buried: buriedWith(memory, digests) })
      const { same, pageId, questions } = companionsOf(view, id)
      for (const other of same) {
        const current = get(other)
        if (current && !current.forgotten) put(withChange(current, { text: change.text }, at))
      }
      dropQuestions(changes, questions, at)
      if (pageId !== undefined) rewritePage(changes, pageId, at)
      return itemOf(changed, settings)
    },
    { signal },
  )
}

function withChange(memory: StoredMemory, { text, pinned }: MemoryChange, at: string): StoredMemory {
  const base = { ...memory, pinned: pinned ?? memory.pinned, updated_at: at }
  if (text === undefined || text === memory.text) return base
  const corrected = { ...base, text, origin: 'person' as const }
  if (corrected.type === 'statement') return { ...corrected, value: text, confidence: 1, disputes: null }
  return corrected.type === 'short' ? { ...corrected, weight: 1, last_seen_at: at } : corrected
}

/** Writes the body of a page from its statements, unless a person has written it: it may repeat what has just been changed. */
export function rewritePage({ view, get, put }: MemoryChanges, pageId: string, at: string): void {
  const page = get(pageId)
  if (page?.type !== 'page' || page.forgotten || page.origin === 'person') return
  const memories = [...view.memories.keys()].flatMap((id) => get(id) ?? [])
  put({ ...page, text: plainBody(pageId, memories), updated_at: at })
}
