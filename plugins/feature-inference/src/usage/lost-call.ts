import { createHash } from 'node:crypto'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { LostCallRecord } from '../calls/lost-calls.js'
import { callCollection } from './stored-call.js'

/** The id under which a lost call is stored: the same whenever it is made, and in its place in time as those of other calls are. */
export function idOfLostCall({ id, attribution, startedAt }: LostCallRecord): string {
  const random = createHash('sha256')
    .update(JSON.stringify([attribution.userId, id]))
    .digest()
    .subarray(0, 16)
  return uuidv7({ msecs: startedAt, random })
}

/** Whether a call of the same run ended in this one's time, well or because it was stopped: then it was this one, and it was not lost. */
export async function hasRecordedEnd(database: Database, { attribution, startedAt, replacedAt }: LostCallRecord): Promise<boolean> {
  const { userId, chatId, runId } = attribution
  if (runId === undefined) return false
  const place = chatId === undefined ? { index: 'by_user', equals: [userId] } : { index: 'by_chat', equals: [chatId] }
  let cursor: string | undefined
  do {
    const page = await database
      .collection(callCollection)
      .query({ ...place, from: firstIdAt(startedAt), limit: 200, ...(cursor !== undefined && { cursor }) })
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

/** No id that was made then or later is before this. */
function firstIdAt(milliseconds: number): string {
  const digits = Math.floor(milliseconds).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`
}
