import { setImmediate } from 'node:timers/promises'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import type { Database } from '@agent-service/sdk/services/database'
import { collections } from '../store/collections.js'
import type { UserMemories } from '../store/user-memories.js'

/** Where something of users is. */
export interface EraseDependencies {
  readonly database: Database
  readonly memories: Pick<UserMemories, 'erase'>
  readonly search: Pick<MemorySearch, 'invalidate'>
}

/** How many documents one transaction deletes. */
const batch = 50

/**
 * Erases everything of a user, in turn with changes of the memories. May be cut and called again.
 * No change goes on over what is half gone.
 */
export async function eraseUser(
  { database, memories, search }: EraseDependencies,
  userId: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted()
  await memories.erase(userId, async () => {
    for (const collection of collections) await eraseAll(database, collection, userId, signal)
  })
  search.invalidate(userId)
}

async function eraseAll(database: Database, collection: (typeof collections)[number], userId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const { items } = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: batch })
    if (items.length === 0) return
    await database.transaction(async (transaction) => {
      for (const { id } of items) transaction.delete(collection, id)
    })
    await setImmediate()
  }
}
