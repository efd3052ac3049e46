import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, StoredObject } from '@agent-service/sdk/services/database'
import { maxLogDays, maxLogEntries } from '../common/limits.js'
import { textOf } from '../common/time.js'
import { logCollection } from '../store/log-entry.js'
import { totalsCollection } from '../store/totals.js'

const dayMs = 86_400_000
const batch = 200

interface Dependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
}

/** Deletes what is too old or too much of the access log, twice a day. */
export function createPruneLogJob(dependencies: Dependencies): SchedulerJob {
  return defineJob({
    id: 'feature-agent-credentials.prune-log',
    title: 'Delete old entries of the access log of credentials',
    everySeconds: 43_200,
    timeoutSeconds: 600,
    async run({ signal }) {
      await deleteOld(dependencies, signal)
      await deleteExcess(dependencies, { max: maxLogEntries, signal })
    },
  })
}

async function deleteOld({ database, clock }: Dependencies, signal: AbortSignal): Promise<void> {
  const to = textOf(clock.now() - maxLogDays * dayMs)
  for (;;) {
    signal.throwIfAborted()
    const { items } = await database.collection(logCollection).query({ index: 'by_time', from: '', to, limit: batch })
    if (items.length === 0) return
    await deleteEntries(database, items)
  }
}

/** Keeps the newest `max` of each user. Everyone who has a log has totals. */
export async function deleteExcess(
  { database }: Pick<Dependencies, 'database'>,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<void> {
  let cursor: string | undefined
  do {
    const users = await database.collection(totalsCollection).query({ index: 'by_user', ...(cursor !== undefined && { cursor }) })
    for (const { id } of users.items) await deleteExcessOf(database, id, { max, signal })
    cursor = users.nextCursor
  } while (cursor !== undefined)
}

async function deleteExcessOf(
  database: Database,
  userId: string,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<void> {
  let seen = 0
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await database
      .collection(logCollection)
      .query({ index: 'by_user', equals: [userId], order: 'descending', limit: batch, ...(cursor !== undefined && { cursor }) })
    await deleteEntries(database, page.items.slice(Math.max(0, max - seen)))
    seen += page.items.length
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function deleteEntries(database: Database, entries: readonly StoredObject[]): Promise<void> {
  if (entries.length === 0) return
  await database.transaction(async (transaction) => {
    for (const { id } of entries) transaction.delete(logCollection, id)
  })
}
