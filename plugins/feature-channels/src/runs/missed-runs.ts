import { documentsOf } from '@agent-service/sdk/services/database'
import type { EventGap } from '@agent-service/sdk/services/events'
import type { Run } from '@agent-service/sdk/services/runs'
import { missedRunsMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { type Conversation, conversationCollection, conversationKind } from '../store/conversation.js'

/** A run whose events may have been missed. */
export interface MissedPlace {
  readonly connection: Connection
  readonly conversation: Conversation
  readonly runId: string
  readonly run: Run
}

/**
 * The runs of conversations that were at work in the days before a gap ended: those that are open, and
 * those that ended meanwhile. Older ones are left: their deliveries may be forgotten by now, and would be sent again.
 */
export async function* missedPlaces(parts: ChannelParts, { userId, until }: EventGap, signal: AbortSignal): AsyncIterable<MissedPlace> {
  const { database, runs } = parts
  const since = Date.parse(until) - missedRunsMs
  for await (const conversation of conversationsOf(parts, userId, signal)) {
    if (conversation.run_id === null || Date.parse(conversation.changed_at) < since) continue
    const connection = await database.collection(connectionCollection).get(conversation.connection_id)
    if (!connection) continue
    const of = { userId: conversation.user_id, reportsTo: { kind: conversationKind, id: conversation.id } }
    let cursor: string | undefined
    do {
      signal.throwIfAborted()
      const page = await runs.list({ ...of, limit: 200, ...(cursor !== undefined && { cursor }) })
      for (const run of page.items)
        if (run.finishedAt === null || Date.parse(run.finishedAt) >= since) yield { connection, conversation, runId: run.id, run }
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}

async function* conversationsOf({ database }: ChannelParts, userId: string | null, signal: AbortSignal): AsyncIterable<Conversation> {
  if (userId !== null) {
    yield* documentsOf(database, conversationCollection, { index: 'by_user', equals: [userId], signal })
    return
  }
  for (const enabled of [true, false])
    for await (const { id } of documentsOf(database, connectionCollection, { index: 'by_enabled', equals: [enabled], signal }))
      yield* documentsOf(database, conversationCollection, { index: 'by_connection', equals: [id], signal })
}
