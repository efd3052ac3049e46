import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { outboxCollection, type StoredMail, timeText } from './store/stored-mail.js'

/** How long it is known what became of an e-mail. */
const keepMs = 35 * 24 * 3_600_000

/** Export, erasure and size of the e-mails to one user; none without a database, as in `doctor`. */
export function createMailUserData(database: Database | undefined): UserData {
  return {
    specVersion: 1,
    id: 'mail',
    collections: [outboxCollection.name],
    // An e-mail says what a notification says, and where it goes.
    shownBy: ['getOwnProfile', 'listNotifications'],
    async *export(userId, { signal }) {
      for await (const { claim: _, ...mail } of mailsOf(database, userId, signal))
        yield { path: `mail/${mail.id}.json`, json: JSON.parse(JSON.stringify(mail)) }
    },
    async erase(userId, { signal }) {
      for await (const { id } of mailsOf(database, userId, signal)) await database?.collection(outboxCollection).delete(id)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const mail of mailsOf(database, userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(mail))
      }
      return { records, bytes }
    },
  }
}

async function* mailsOf(database: Database | undefined, userId: string, signal: AbortSignal): AsyncGenerator<StoredMail> {
  if (database) yield* documentsOf(database, outboxCollection, { index: 'by_user', equals: [userId], signal, pageSize: 200 })
}

/** Deletes what became of old e-mails. */
export const createPruneJob = ({ database, clock }: { readonly database: Database; readonly clock: Clock }): SchedulerJob =>
  defineJob({
    id: 'feature-mail.prune',
    title: 'Delete the outcome of old e-mails',
    everySeconds: 3_600,
    timeoutSeconds: 300,
    async run({ signal }) {
      const to = timeText(clock.now() - keepMs)
      for (;;) {
        signal.throwIfAborted()
        const old = await database.collection(outboxCollection).query({ index: 'by_end', from: '', to, limit: 100 })
        if (old.items.length === 0) return
        await database.transaction(async (transaction) => {
          for (const { id } of old.items) transaction.delete(outboxCollection, id)
        })
      }
    },
  })
