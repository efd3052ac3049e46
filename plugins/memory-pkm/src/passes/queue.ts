import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { cursorCollection, passCollection, queueCollection } from '../store/pass-records.js'

/** The least wait before a user without progress is looked at again, in milliseconds. */
const minWaitMs = 30_000

/** The users that are due, those that have waited longest first. A user who was looked at goes to the end. */
export async function dueUsers(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<readonly string[]> {
  const until = `${new Date(clock.now()).toISOString()}~`
  const page = await database.collection(queueCollection).query({ index: 'by_due', to: until, limit })
  return page.items.map(({ user_id: userId }) => userId)
}

/** Notes when a user is due next. What is reported meanwhile is not lost: the entry is read first. */
export async function noteNextDue(
  dependencies: { readonly database: Database; readonly clock: Clock; readonly settings: MemorySettings },
  userId: string,
  { progressed }: { readonly progressed: boolean },
): Promise<void> {
  const { database, clock } = dependencies
  await database.transaction(async (transaction) => {
    await transaction.get(queueCollection, userId)
    const now = clock.now()
    const wanted = await nextWork(dependencies, userId)
    if (wanted === undefined) {
      transaction.delete(queueCollection, userId)
      return
    }
    const due = Math.max(wanted, progressed ? now : now + minWaitMs)
    transaction.put(queueCollection, { id: userId, user_id: userId, due_at: new Date(due).toISOString() })
  })
}

/** The time of the user's next work; undefined: there is none. */
async function nextWork(
  { database, settings }: { readonly database: Database; readonly settings: MemorySettings },
  userId: string,
): Promise<number | undefined> {
  const [pass] = (await database.collection(passCollection).query({ index: 'by_open', equals: [userId, true], limit: 1 })).items
  if (pass) return pass.next_attempt_at === null ? 0 : Date.parse(pass.next_attempt_at)
  const [cursor] = (await database.collection(cursorCollection).query({ index: 'by_pending', equals: [userId, true], limit: 1 })).items
  if (!cursor) return undefined
  return cursor.deleted ? 0 : Date.parse(cursor.last_activity_at) + settings.pkm_consolidate_idle_secs * 1_000
}
