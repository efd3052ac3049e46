import { noticeOf } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Connection } from '../store/connection.js'
import { conversationCollection, isForOwner } from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import type { ConnectionOwner, ConnectionService } from './connection-service.js'

/** How long a test waits for the outcome, and how often it looks, in milliseconds. */
const waitMs = 35_000
const lookMs = 250

/** Connects a connection that is not, waits for how that goes, and sends a test message where its owner wrote last. */
export async function testConnection(
  {
    parts,
    connections,
    onDelivery,
  }: {
    readonly parts: ChannelParts
    readonly connections: ConnectionService
    readonly onDelivery: (connectionId: string, line: string) => void
  },
  { owner, id, signal }: { readonly owner: ConnectionOwner; readonly id: string; readonly signal: AbortSignal },
): Promise<{ readonly connection: Connection; readonly delivery: Delivery | undefined }> {
  const { clock } = parts
  let connection = await connections.demand(owner, id)
  if (connection.enabled && connection.state !== 'connected' && connection.state !== 'connecting')
    connection = await connections.retry(owner, id)
  const until = clock.monotonic() + waitMs
  while (connection.enabled && connection.state === 'connecting' && clock.monotonic() < until) {
    await clock.wait(lookMs, { signal })
    connection = await connections.demand(owner, id)
  }
  const delivery = connection.state === 'connected' && owner !== null ? await sendTest(parts, connection) : undefined
  if (delivery?.line != null) onDelivery(id, delivery.line)
  return { connection, delivery }
}

async function sendTest({ database, clock }: ChannelParts, connection: Connection): Promise<Delivery | undefined> {
  const all = await database.collection(conversationCollection).query({ index: 'by_connection', equals: [connection.id], limit: 200 })
  const direct = all.items.filter(isForOwner)
  const last = direct.reduce<(typeof direct)[number] | undefined>(
    (latest, each) => (latest === undefined || each.changed_at > latest.changed_at ? each : latest),
    undefined,
  )
  if (!last) return undefined
  const delivery = noticeOf(connection, {
    ...{ conversationId: last.conversation_id, userId: last.user_id, now: clock.now(), kind: 'test' },
    text: 'This is a test of the connection. It works.',
  })
  await database.collection(deliveryCollection).insert(delivery)
  return delivery
}
