import { setImmediate } from 'node:timers/promises'
import type { StoredMemory } from '../store/records.js'
import type { MemoryChanges, UserMemories } from '../store/user-memories.js'
import { rewritePage } from '../write/change-memory.js'
import { companionsOf, dropQuestions } from '../write/companions.js'
import { emptied } from '../write/emptied.js'

/** How many memories one transaction changes. */
const batch = 50

/**
 * Forgets what depends only on a chat, and takes the chat out of the evidence of the rest. What a
 * person has corrected or pinned depends on them and stays. Nothing of it is barred: what is said
 * again elsewhere is learnt again.
 */
export async function forgetChat(
  memories: UserMemories,
  { userId, chatId, at }: { readonly userId: string; readonly chatId: string; readonly at: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const isDone = await memories.change(
      userId,
      async (changes) => {
        const touched = [...changes.view.memories.values()].filter(
          ({ forgotten, evidence }) => !forgotten && evidence.some((each) => each.chatId === chatId),
        )
        for (const memory of touched.slice(0, batch)) {
          const left = withoutChat(memory, chatId, at)
          changes.put(left)
          if (left.forgotten) dropQuestions(changes, companionsOf(changes.view, memory.memory_id).questions, at)
        }
        for (const id of pagesOf(touched)) settlePage(changes, id, at)
        return touched.length <= batch
      },
      { signal },
    )
    if (isDone) return
    // Others have their turn, however fast the database is.
    await setImmediate()
  }
}

function withoutChat(memory: StoredMemory, chatId: string, at: string): StoredMemory {
  const evidence = memory.evidence.filter((each) => each.chatId !== chatId)
  const stays = evidence.length > 0 || memory.pinned || memory.origin === 'person'
  return stays ? { ...memory, evidence, updated_at: at } : emptied(memory, at)
}

const pagesOf = (touched: readonly StoredMemory[]): ReadonlySet<string> =>
  new Set(touched.flatMap((memory) => (memory.type === 'statement' ? [memory.page_id] : [])))

/** A page is written again from what is left; one without statements goes. */
function settlePage(changes: MemoryChanges, id: string, at: string): void {
  const page = changes.get(id)
  if (page?.type !== 'page' || page.forgotten) return
  const isUsed = [...changes.view.memories.values()].some(
    (memory) => memory.type === 'statement' && memory.page_id === id && changes.get(memory.memory_id)?.forgotten === false,
  )
  if (isUsed || page.pinned || page.origin === 'person') rewritePage(changes, id, at)
  else changes.put(emptied(page, at))
}
