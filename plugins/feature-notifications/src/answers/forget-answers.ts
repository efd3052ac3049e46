import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { DeliveredEvent, EventGap } from '@agent-service/sdk/services/events'
import { pushCollection } from '../store/push-store.js'
import { answerKinds } from './answer-kinds.js'

/** Drops what still waits to say a deleted chat's title on the devices of its person. */
export async function forgetAnswers(database: Database, event: DeliveredEvent | EventGap): Promise<void> {
  if (event.kind === 'gap') return
  const link = `/chats/${String(event.data['chat_id'])}`
  const ids: string[] = []
  for await (const push of documentsOf(database, pushCollection, { index: 'by_user', equals: [event.userId] }))
    if (push.link === link && answerKinds.some(({ id }) => id === push.kind)) ids.push(push.id)
  if (ids.length === 0) return
  await database.transaction(async (transaction) => {
    for (const id of ids) transaction.delete(pushCollection, id)
  })
}
