import { setImmediate } from 'node:timers/promises'
import { buriedWith, bury, digestsOf } from '../store/tombstones.js'
import type { UserMemories } from '../store/user-memories.js'
import { rewritePage } from './change-memory.js'
import { companionsOf, dropQuestions } from './companions.js'
import { emptied } from './emptied.js'

/** How many memories one transaction forgets; a page may have more statements. */
const batch = 25

/**
 * Forgets a memory for a person: its words are gone, and it is not learnt again. With a statement
 * goes the short memory that says the same, and the other way round; with a page go its statements.
 * Questions that repeat it go too.
 * False if there is none of this id, or it is forgotten already.
 */
export async function forgetMemory(
  { memories, now }: { readonly memories: UserMemories; readonly now: () => number },
  id: string,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const at = new Date(now()).toISOString()
  for (;;) {
    const isDone = await memories.change(
      userId,
      async (changes) => {
        const { transaction, view, get, put } = changes
        const memory = get(id)
        if (!memory || memory.forgotten) return false
        const { same, parts, pageId } = companionsOf(view, id)
        const withParts = parts.flatMap((part) => [part, ...companionsOf(view, part).same]).filter((part) => get(part)?.forgotten === false)
        // The page goes last, so that a cut forgetting is continued by the next one.
        const now = withParts.length > batch ? withParts.slice(0, batch) : [...withParts, ...same, id]
        for (const each of now) {
          const current = get(each)
          if (!current || current.forgotten) continue
          const digests = digestsOf(current)
          bury(transaction, userId, digests)
          put({ ...emptied(current, at), buried: buriedWith(current, digests) })
          dropQuestions(changes, companionsOf(view, each).questions, at)
        }
        if (pageId !== undefined) rewritePage(changes, pageId, at)
        return now.includes(id) ? true : undefined
      },
      { signal },
    )
    if (isDone !== undefined) return isDone
    // Others have their turn, however fast the database is.
    await setImmediate()
  }
}
