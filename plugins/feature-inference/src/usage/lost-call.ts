import { createHash } from 'node:crypto'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { LostCallRecord } from '../calls/lost-calls.js'
import { callCollection } from './stored-call.js'

/** The id of a stored lost call: deterministic, and ordered by time like the ids of other calls. */
export function idOfLostCall({ id, attribution, startedAt }: LostCallRecord): string {
  const random = createHash('sha256')
    .update(JSON.stringify([attribution.userId, id]))
    .digest()
    .subarray(0, 16)
  return uuidv7({ msecs: startedAt, random })
}

/**
 * Whether a call of the same run completed or was cancelled in this one's time: then it is this
 * call, and it was not lost.
 */
export async function hasRecordedEnd(database: Database, { attribution, startedAt, replacedAt }: LostCallRecord): Promise<boolean> {
  const { userId, chatId, runId } = attribution
  if (runId === undefined) return false
  const range = chatId === undefined ? { index: 'by_user', equals: [userId] } : { index: 'by_chat', equals: [chatId] }
  let cursor: string | undefined
  do {
    const page = await database
      .collection(callCollection)
      .query({ ...range, from: firstIdAt(startedAt), limit: 200, ...(cursor !== undefined && { cursor }) })
    const hasEnd = page.items.some((call) => {
      const began = Date.parse(call.started_at)
      const ended = call.outcome === 'completed' || call.outcome === 'cancelled'
      return call.run_id === runId && ended && began >= startedAt && began < replacedAt
    })
    if (hasEnd) return true
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return false
}

/** A lower bound of all ids from then on. */
function firstIdAt(milliseconds: number): string {
  const digits = Math.floor(milliseconds).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`
}
