import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { heldMs } from '../common/limits.js'
import { promptCollection, textCollection, timeText } from './prompt.js'
import { addToTotals } from './totals.js'

const batch = 100

/** Deletes for good what a person deleted, to make room. Returns whether there was anything. */
export async function purgeDeleted(database: Database, userId: string, signal: AbortSignal): Promise<boolean> {
  let wasAny = false
  for await (const { id, deleted_at } of documentsOf(database, promptCollection, { index: 'by_user', equals: [userId], signal })) {
    if (deleted_at === null) continue
    await purge(database, [id])
    wasAny = true
  }
  return wasAny
}

/** Deletes for good what can no longer be restored. */
export const createPurgeJob = ({ database, clock }: { readonly database: Database; readonly clock: Clock }): SchedulerJob =>
  defineJob({
    id: 'feature-prompts.purge',
    title: 'Delete prompts that can no longer be restored',
    everySeconds: 3_600,
    timeoutSeconds: 300,
    async run({ signal }) {
      const to = timeText(clock.now() - heldMs)
      for (;;) {
        signal.throwIfAborted()
        const { items } = await database.collection(promptCollection).query({ index: 'by_deleted', from: '', to, limit: batch })
        if (items.length === 0) return
        await purge(
          database,
          items.map(({ id }) => id),
        )
      }
    },
  })

/** Deletes those of the prompts that are still deleted: one may just have been restored. */
const purge = (database: Database, ids: readonly string[]): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const id of ids) {
      const prompt = await transaction.get(promptCollection, id)
      if (!prompt || prompt.deleted_at === null) continue
      transaction.delete(promptCollection, id)
      transaction.delete(textCollection, id)
      await addToTotals(transaction, prompt.user_id, { prompts: -1, bytes: -prompt.bytes })
    }
  })
