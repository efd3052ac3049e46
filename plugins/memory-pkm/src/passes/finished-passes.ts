import type { MemoryPass } from '@agent-service/sdk/contracts/memory-backend'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { makeDue } from '../chats/chat-changed.js'
import { documentId } from '../common/ids.js'
import { type ConsolidationPass, checkpointCollection, passCollection } from '../store/pass-records.js'
import type { PassStore } from './pass-store.js'

/** Deletes the oldest finished passes of a user beyond the number that is kept, with their results. */
export async function prunePasses(
  { database, store }: { readonly database: Database; readonly store: PassStore },
  userId: string,
  { keep, signal }: { readonly keep: number; readonly signal: AbortSignal },
): Promise<void> {
  let finished = 0
  let cursor: string | undefined
  const outdated: ConsolidationPass[] = []
  do {
    signal.throwIfAborted()
    const query = { index: 'by_user', equals: [userId], order: 'descending' as const, limit: 200, ...(cursor !== undefined && { cursor }) }
    const page = await database.collection(passCollection).query(query)
    for (const pass of page.items) {
      if (pass.open) continue
      finished += 1
      if (finished > keep) outdated.push(pass)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  for (const pass of outdated) {
    for (const { id } of await store.checkpoints(pass, { signal })) await database.collection(checkpointCollection).delete(id)
    await database.collection(passCollection).delete(pass.id)
  }
}

/** Deletes what the passes over a chat have found in it: the chat is gone. */
export async function deleteResults(
  { database }: { readonly database: Database },
  { userId, chatId }: { readonly userId: string; readonly chatId: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const passes = new Set<string>()
  for await (const pass of documentsOf(database, passCollection, { index: 'by_user', equals: [userId], signal }))
    if (pass.chat_id === chatId) passes.add(pass.pass_id)
  if (passes.size === 0) return
  for await (const { id, pass_id: passId } of documentsOf(database, checkpointCollection, { index: 'by_user', equals: [userId], signal }))
    if (passes.has(passId)) await database.collection(checkpointCollection).delete(id)
}

/** A pass as others see it. */
export const passView = (pass: ConsolidationPass): MemoryPass => ({
  ...{ id: pass.pass_id, chatId: pass.chat_id, state: pass.state, stage: pass.stage },
  attempt: pass.state === 'abandoned' ? Math.max(1, pass.failures) : pass.failures + 1,
  ...{ error: pass.error, nextAttemptAt: pass.next_attempt_at, startedAt: pass.started_at, finishedAt: pass.finished_at },
})

/** Opens a pass again that was abandoned or has failed, where it has ended. False if there is none. */
export const retryPass = (
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: string,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<boolean> =>
  database.transaction(
    async (transaction) => {
      const pass = await transaction.get(passCollection, documentId(userId, id))
      if (pass?.state !== 'abandoned' && pass?.state !== 'failed') return false
      const stage = pass.state === 'failed' ? 'classify' : pass.stage
      const opened = { state: 'running', open: true, stage, failures: 0, resets: 0, finished_at: null, error: null } as const
      transaction.put(passCollection, { ...pass, ...opened })
      await makeDue(transaction, userId, new Date(clock.now()).toISOString())
      return true
    },
    { signal },
  )
